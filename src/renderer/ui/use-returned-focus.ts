import { useEffect, useRef, type RefObject } from 'react';
import { hrefOf, type View } from '../navigation/route.ts';

/** Gives focus back to where an editor was opened from in a list, once it is closed. */
export function useReturnedFocus(view: View, item: string | null): RefObject<HTMLElement | null> {
  const list = useRef<HTMLElement>(null);
  const before = useRef(item);
  useEffect(() => {
    const left = before.current;
    before.current = item;
    if (left === null || item !== null) return;
    const row = list.current?.querySelector<HTMLElement>(`a[href="${hrefOf(view, left)}"]`);
    (row ?? list.current?.querySelector('button'))?.focus();
  }, [view, item]);
  return list;
}
