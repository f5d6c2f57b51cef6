import { useEffect, useState } from 'react';
import type { Exchange } from '../../../control/schemas.ts';
import { control, problemOf } from '../../connection/control.ts';

export interface ReadExchange {
  /** The one asked for, or while it is on its way the one read before. */
  readonly exchange: Exchange | null;
  /** Why it cannot be read. */
  readonly problem: { readonly code: string; readonly message: string } | null;
  readonly again: () => void;
}

interface Read {
  readonly number: number;
  readonly exchange: Exchange | null;
  readonly problem: ReadExchange['problem'];
}

/** Reads an exchange when it is looked at. @param secrets whether codes, tokens and secrets come along */
export function useExchange(number: number, secrets: boolean): ReadExchange {
  const [read, setRead] = useState<Read>({ number, exchange: null, problem: null });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    const take = (found: Omit<Read, 'number'>) => {
      if (!gone.signal.aborted) setRead({ number, ...found });
    };
    control.exchanges.get({ number, secrets }, { signal: gone.signal }).then(
      (exchange) => take({ exchange, problem: null }),
      (error: unknown) => take({ exchange: null, problem: problemOf(error) }),
    );
    return () => gone.abort();
  }, [number, secrets, tries]);
  return {
    exchange: read.exchange,
    problem: read.number === number ? read.problem : null,
    again: () => setTries((count) => count + 1),
  };
}
