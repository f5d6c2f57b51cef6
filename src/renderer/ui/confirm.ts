// Questions before an action: one at a time, each with a promise of the answer. ConfirmHost shows them.

import { useEffect, useRef } from 'react';
import { createStore } from 'zustand/vanilla';
import { holdRoute } from '../navigation/route.ts';

export interface Question {
  readonly title: string;
  readonly body: string;
  /** Label of the button that confirms: "Reset", "Discard edits". */
  readonly confirm: string;
  readonly danger?: boolean;
}

export const asked = createStore(() => ({
  question: null as Question | null,
  opened: false,
  answer: (() => undefined) as (goOn: boolean) => void,
}));

/**
 * Resolves to whether the question was confirmed. A new question declines the one that is open; the same one, as Escape
 * asks again in a dialog below, only declines it.
 */
export function confirm(question: Question): Promise<boolean> {
  const { opened, question: shown, answer: decline } = asked.getState();
  decline(false);
  if (opened && shown?.title === question.title && shown.body === question.body)
    return Promise.resolve(false);
  return new Promise((resolve) => {
    const answer = (goOn: boolean) => {
      asked.setState({ opened: false });
      resolve(goOn);
    };
    asked.setState({ question, opened: true, answer });
  });
}

export const confirmDiscard = (what = 'this form'): Promise<boolean> =>
  confirm({
    title: 'Discard your edits?',
    body: `Your changes to ${what} are not saved yet.`,
    confirm: 'Discard edits',
    danger: true,
  });

/** Asks before the page leaves unsaved edits. Returns a function that ends this once they are saved. */
export function useUnsavedGuard(dirty: boolean, what?: string): () => void {
  const release = useRef(() => {});
  useEffect(() => {
    if (!dirty) return undefined;
    release.current = holdRoute(() => confirmDiscard(what));
    return () => release.current();
  }, [dirty, what]);
  return () => release.current();
}
