import { useEffect, useState } from 'react';
import { problemOf } from '../../control.ts';
import { paced } from '../../paced.ts';
import { page } from '../../state.ts';
import { sentence } from '../../ui/problems.ts';

const REST_MS = 1000;

export interface Followed<T> {
  /** null until it was read for the first time. */
  readonly value: T | null;
  /** Why it could not be read, with the code of the refusal. */
  readonly problem: { readonly code: string; readonly message: string } | null;
}

const UNREAD = { value: null, problem: null };

/**
 * Something read of the engine, and read again as credentials change, at most once a second.
 * @param key names what is read; another one begins anew
 */
export function useFollowed<T>(key: string, read: (key: string) => Promise<T>): Followed<T> {
  const [known, setKnown] = useState<Followed<T> & { readonly key: string }>({ key, ...UNREAD });
  useEffect(() => {
    let gone = false;
    const reading = paced(async () => {
      const found = await read(key).then(
        (value): Followed<T> => ({ value, problem: null }),
        (error: unknown): Followed<T> => {
          const { code, message } = problemOf(error);
          return { value: null, problem: { code, message: sentence(message) } };
        },
      );
      if (!gone) setKnown({ key, ...found });
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
