import { useEffect, useState } from 'react';
import { control } from '../../control.ts';

/** `gone`: the engine keeps the text of the newest access tokens only. */
export type TokenValue =
  | { readonly state: 'hidden' | 'asking' | 'gone'; readonly text: null }
  | { readonly state: 'known'; readonly text: string };

/** The credential itself, asked for once it is wanted and not before. */
export function useTokenValue(id: string, wanted: boolean): TokenValue {
  const [value, setValue] = useState<TokenValue>({ state: 'asking', text: null });
  useEffect(() => {
    if (!wanted) return undefined;
    let left = false;
    const put = (text: string | null) => {
      if (left) return;
      setValue(text === null ? { state: 'gone', text } : { state: 'known', text });
    };
    void control.tokens.get({ id, secrets: true }).then(
      ({ value: text }) => put(text),
      () => put(null),
    );
    return () => {
      left = true;
    };
  }, [id, wanted]);
  return wanted ? value : { state: 'hidden', text: null };
}
