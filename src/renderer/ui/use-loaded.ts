import { useEffect, useRef, useState } from 'react';
import { problemOf } from '../connection/control.ts';
import { throttled, type Throttled } from '../connection/throttled.ts';
import { problemSentence } from './problems.ts';

export interface Loaded<T> {
  /** null before the first response. */
  readonly known: T | null;
  /** Why the last load failed; `known` stays. */
  readonly problem: string | null;
  readonly retry: () => void;
}

const REST_MS = 1000;

/**
 * The result of `load`, reloaded when the revision changes, at most about once a second.
 * @param load must stay the same function while the same data is to be loaded
 */
export function useLoaded<T>(load: () => Promise<T>, revision: unknown): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'retry'>>({ known: null, problem: null });
  const loader = useRef<Throttled | null>(null);
  useEffect(() => {
    let gone = false;
    const made = throttled(async () => {
      try {
        const known = await load();
        if (!gone) setState({ known, problem: null });
      } catch (error) {
        const problem = problemSentence(problemOf(error));
        if (!gone) setState(({ known }) => ({ known, problem }));
      }
    }, REST_MS);
    loader.current = made;
    return () => {
      gone = true;
      made.stop();
    };
  }, [load]);
  useEffect(() => loader.current?.ask(), [load, revision]);
  return { ...state, retry: () => loader.current?.ask() };
}
