import { useEffect, useState, useRef } from 'react';
import { control, problemOf } from '../../connection/control.ts';
import { throttled, type Throttled } from '../../connection/throttled.ts';
import { page, type State } from '../../connection/state.ts';
import { problemSentence } from '../../ui/problems.ts';

/** `gone`: the engine stores the text of the newest access tokens only. */
export type TokenValue =
  | { readonly state: 'hidden' | 'asking' | 'gone'; readonly text: null }
  | { readonly state: 'known'; readonly text: string };

const HIDDEN: TokenValue = { state: 'hidden', text: null };
const ASKING: TokenValue = { state: 'asking', text: null };

/** The text of a credential, loaded only when it is wanted. */
export function useTokenValue(id: string, wanted: boolean): TokenValue {
  const [known, setKnown] = useState({ id, value: ASKING });
  useEffect(() => {
    if (!wanted) return undefined;
    let left = false;
    const put = (text: string | null) => {
      if (left) return;
      setKnown({ id, value: text === null ? { state: 'gone', text } : { state: 'known', text } });
    };
    void control.tokens.get({ id, secrets: true }).then(
      ({ value }) => put(value),
      () => put(null),
    );
    return () => {
      left = true;
    };
  }, [id, wanted]);
  if (!wanted) return HIDDEN;
  return known.id === id ? known.value : ASKING;
}

const REST_MS = 1000;

interface Followed<T> {
  /** null until it is first loaded. */
  readonly value: T | null;
  /** Why it could not be loaded, with the code of the error. */
  readonly problem: { readonly code: string; readonly message: string } | null;
}

/** The parts of the page's state whose changes cause a reload. */
type Sources = readonly (keyof State)[];

const CREDENTIALS: Sources = ['credentials_revision'];

interface Asked<T> extends Followed<T> {
  /** Reloads the value, for what time alone changes. */
  readonly ask: () => void;
}

const UNREAD = { value: null, problem: null };

type Known<T> = Followed<T> & { readonly key: string };

/** Keeps the loaded value when a reload fails, unless it no longer exists. */
function afterFailure<T>(known: Known<T>, key: string, error: unknown): Known<T> {
  const problem = problemOf(error);
  const stays = known.key === key && known.value !== null && problem.code !== 'not_found';
  return stays
    ? known
    : { key, value: null, problem: { code: problem.code, message: problemSentence(problem) } };
}

/**
 * Loads a value from the engine, and reloads it when credentials change, at most once a second.
 * @param key identifies the value; another key starts over
 * @param sources the state whose changes cause a reload; always the same list
 */
export function useFollowed<T>(
  key: string,
  read: (key: string) => Promise<T>,
  sources = CREDENTIALS,
): Asked<T> {
  const [known, setKnown] = useState<Known<T>>({ key, ...UNREAD });
  const reader = useRef<Throttled | null>(null);
  useEffect(() => {
    let gone = false;
    const reading = throttled(async () => {
      try {
        const value = await read(key);
        if (!gone) setKnown({ key, value, problem: null });
      } catch (error) {
        if (!gone) setKnown((known) => afterFailure(known, key, error));
      }
    }, REST_MS);
    reader.current = reading;
    reading.ask();
    const release = page.subscribe((now, before) => {
      if (sources.some((name) => now[name] !== before[name])) reading.ask();
    });
    return () => {
      gone = true;
      release();
      reading.stop();
    };
  }, [key, read, sources]);
  const ask = () => reader.current?.ask();
  return known.key === key ? { ...known, ask } : { ...UNREAD, ask };
}
