import { useEffect, useRef } from 'react';
import { holdRoute } from '../navigation/route.ts';
import { confirmDiscard } from './confirm.ts';

/** Asks before the page leaves unsaved edits. Returns a release for after they were saved. */
export function useUnsavedGuard(dirty: boolean, what?: string): () => void {
  const release = useRef(() => {});
  useEffect(() => {
    if (!dirty) return undefined;
    release.current = holdRoute(() => confirmDiscard(what));
    return () => release.current();
  }, [dirty, what]);
  return () => release.current();
}
