import { useEffect, useRef } from 'react';

/** Scrolls an element of a list into view when it becomes the active one. */
export function useInSight<E extends Element>(active: boolean) {
  const ref = useRef<E>(null);
  useEffect(() => {
    if (active) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return ref;
}
