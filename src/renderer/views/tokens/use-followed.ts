import { useEffect, useState } from 'react';
import { problemOf } from '../../connection/control.ts';
import { throttled } from '../../connection/throttled.ts';
import { page } from '../../connection/state.ts';
import { sentence } from '../../ui/problems.ts';

const REST_MS = 1000;

export interface Followed<T> {
  /** null until it was read for the first time. */
  readonly value: T | null;
  /** Why it could not be read, with the code of the refusal. */
  readonly problem: { readonly code: string; readonly message: string } | null;
}

const UNREAD = { value: null, problem: null };

type Known<T> = Followed<T> & { readonly key: string };

/** What was read stays while it cannot be read again, unless it is there no more. */
function afterFailure<T>(known: Known<T>, key: string, error: unknown): Known<T> {
  const { code, message } = problemOf(error);
  const stays = known.key === key && known.value !== null && code !== 'not_found';
  return stays ? known : { key, value: null, problem: { code, message: sentence(message) } };
}

/**
 * Something read of the engine, and read again as credentials change, at most once a second.
 * @param key names what is read; another one begins anew
 */
export function useFollowed<T>(key: string, read: (key: string) => Promise<T>): Followed<T> {
  const [known, setKnown] = useState<Known<T>>({ key, ...UNREAD });
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
    reading.ask();
    const release = page.subscribe((now, before) => {
      if (now.credentials_revision !== before.credentials_revision) reading.ask();
    });
    return () => {
      gone = true;
      release();
      reading.stop();
    };
  }, [key, read]);
  return known.key === key ? known : UNREAD;
}
