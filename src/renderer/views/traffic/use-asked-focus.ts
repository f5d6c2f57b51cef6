import { useEffect, useRef, type RefObject } from 'react';
import type { AskedField } from './traffic-state.ts';
import { changeTraffic, useTraffic } from './traffic-store.ts';

/** Takes the focus into the field once it is asked for, its text selected. */
export function useAskedFocus(field: AskedField): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  const asked = useTraffic((state) => state.asked === field);
  useEffect(() => {
    if (!asked) return;
    input.current?.focus();
    input.current?.select();
    changeTraffic((state) => ({ ...state, asked: null }));
  }, [asked]);
  return input;
}
