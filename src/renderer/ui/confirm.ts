// Questions the page must ask before it goes on: one at a time, answered by a promise.

import { createStore } from 'zustand/vanilla';

export interface Question {
  readonly title: string;
  readonly body: string;
  /** The word on the button that goes on: "Reset", "Discard edits". */
  readonly confirm: string;
  readonly danger?: boolean;
}

interface Asked {
  readonly question: Question | null;
  readonly opened: boolean;
  readonly answer: (goOn: boolean) => void;
}

export const asked = createStore<Asked>(() => ({
  question: null,
  opened: false,
  answer: () => undefined,
}));

/** Resolves to whether the person goes on. A new question answers the one still open with no. */
export function confirm(question: Question): Promise<boolean> {
  asked.getState().answer(false);
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
