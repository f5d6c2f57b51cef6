import { useEffect, useRef } from 'react';

/**
 * The focus goes to a row that was added, and stays in the list when one was removed.
 * @param count of the rows, which are the children of the list
 */
export function useRowFocus<L extends HTMLElement>(count: number) {
  const list = useRef<L>(null);
  const add = useRef<HTMLButtonElement>(null);
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    const row = list.current?.children[Math.min(wanted.current, count - 1)];
    (row?.querySelector('input') ?? add.current)?.focus();
    wanted.current = null;
  }, [count]);
  return { list, add, focusOn: (index: number) => (wanted.current = index) };
}
