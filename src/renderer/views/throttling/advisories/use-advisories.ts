import { useEffect, useRef, useState } from 'react';
import { control, problemOf } from '../../../connection/control.ts';
import { throttled, type Throttled } from '../../../connection/throttled.ts';
import { usePage } from '../../../connection/state.ts';
import { sentence } from '../../../ui/problems.ts';

type Advisories = Awaited<ReturnType<typeof control.advisories.list>>;

interface AdvisoriesState {
  /** null before the first answer. */
  readonly known: Advisories | null;
  /** Why the last load failed; what was known stays. */
  readonly problem: string | null;
}

const REST_MS = 1000;
const NEWEST = 200;

/** The newest advisories with counts per client, loaded anew as the feed tells of more. */
export function useAdvisories(): AdvisoriesState & { readonly retry: () => void } {
  const [state, setState] = useState<AdvisoriesState>({ known: null, problem: null });
  const revision = usePage(({ advisories_revision }) => advisories_revision);
  const loader = useRef<Throttled | null>(null);
  useEffect(() => {
    const load = async () => {
      try {
        setState({ known: await control.advisories.list({ limit: NEWEST }), problem: null });
      } catch (error) {
        setState(({ known }) => ({ known, problem: sentence(problemOf(error).message) }));
      }
    };
    const made = throttled(load, REST_MS);
    loader.current = made;
    return made.stop;
  }, []);
  useEffect(() => loader.current?.ask(), [revision]);
  return { ...state, retry: () => loader.current?.ask() };
}
