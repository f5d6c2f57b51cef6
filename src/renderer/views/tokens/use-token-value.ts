import { useEffect, useState } from 'react';
import { control } from '../../connection/control.ts';

/** `gone`: the engine keeps the text of the newest access tokens only. */
export type TokenValue =
  | { readonly state: 'hidden' | 'asking' | 'gone'; readonly text: null }
  | { readonly state: 'known'; readonly text: string };

const HIDDEN: TokenValue = { state: 'hidden', text: null };
const ASKING: TokenValue = { state: 'asking', text: null };

/** The credential itself, asked for once it is wanted and not before. */
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
