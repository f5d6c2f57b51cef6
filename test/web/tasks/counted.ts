// Counts what a person does. Each click counts one. Each key that is pressed counts one, a chord as one. Typing a text into
// a focused field counts one, however long the text is. Looking, scrolling and waiting count nothing.

import type { Locator, Page } from '@playwright/test';

export interface Counted {
  readonly click: (what: Locator) => Promise<void>;
  readonly press: (key: string) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** How many there were so far. */
  readonly taken: () => number;
}

export function counted(page: Page): Counted {
  let taken = 0;
  const one = async (act: Promise<unknown>) => {
    taken += 1;
    await act;
  };
  return {
    click: (what) => one(what.click()),
    press: (key) => one(page.keyboard.press(key)),
    type: (text) => one(page.keyboard.type(text)),
    taken: () => taken,
  };
}
