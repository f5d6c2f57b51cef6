// Counts the user's actions. A click, a pressed key and a chord each count as one. Typing a text into a focused field
// counts as one, whatever its length. Looking, scrolling and waiting are not counted.

import type { Locator, Page } from '@playwright/test';

export interface Counted {
  readonly click: (what: Locator) => Promise<void>;
  readonly press: (key: string) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** The number of actions so far. */
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
