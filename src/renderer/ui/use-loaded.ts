import { useEffect, useRef, useState } from 'react';
import { problemOf } from '../connection/control.ts';
import { throttled, type Throttled } from '../connection/throttled.ts';
import { problemSentence } from './problems.ts';

interface Problem {
  /** Why the last load failed. */
  readonly problem: string | null;
  readonly code: string | null;
}

export interface Loaded<T> extends Problem {
  /** null before the first response, and once it no longer exists. Another failure keeps it. */
  readonly known: T | null;
  readonly retry: () => void;
}

const REST_MS = 1000;
const NONE: Problem = { problem: null, code: null };

/**
 * The result of `load`, loaded again when the function or the revision changes, at most about once a second for the same
 * function.
 * @param load null loads nothing; its signal aborts when the result is no longer wanted
 * @param key what is loaded: another key starts over, while the same keeps the former result until the next is there
 */
export function useLoaded<T>(
  load: ((signal: AbortSignal) => Promise<T>) | null,
  revision: unknown,
  key: unknown = null,
): Loaded<T> {
  const [state, setState] = useState({ key, load, known: null as T | null, ...NONE });
  const loader = useRef<Throttled | null>(null);
  useEffect(() => {
    if (load === null) return undefined;
    const left = new AbortController();
    const made = throttled(async () => {
      try {
        const known = await load(left.signal);
        if (!left.signal.aborted) setState({ key, load, known, ...NONE });
      } catch (error) {
        if (left.signal.aborted) return;
        const found = problemOf(error);
        const { code } = found;
        setState((former) => {
          const stays = former.key === key && code !== 'not_found';
          const known = stays ? former.known : null;
          return { key, load, known, code, problem: problemSentence(found) };
        });
      }
    }, REST_MS);
    loader.current = made;
    return () => {
      left.abort();
      made.stop();
    };
  }, [load, key]);
  useEffect(() => loader.current?.ask(), [load, key, revision]);
  const { problem, code } = state.load === load ? state : NONE;
  return {
    known: state.key === key ? state.known : null,
    problem,
    code,
    retry: () => loader.current?.ask(),
  };
}
