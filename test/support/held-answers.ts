// Holds back what the control server sends to a page, as a slow connection does.

import type { Page } from '@playwright/test';

interface HeldAnswers {
  readonly hold: () => void;
  /** The number of messages that are held. */
  readonly count: () => number;
  /** Delivers the held messages in their order, and all later ones at once. */
  readonly release: () => void;
}

/** To be called before the page is opened. */
export async function holdAnswers(page: Page): Promise<HeldAnswers> {
  let held: (() => void)[] | null = null;
  await page.routeWebSocket(/\/rpc$/, (socket) => {
    socket.connectToServer().onMessage((message) => {
      const pass = () => socket.send(message);
      if (held === null) pass();
      else held.push(pass);
    });
  });
  return {
    hold: () => {
      held ??= [];
    },
    count: () => held?.length ?? 0,
    release: () => {
      const waiting = held ?? [];
      held = null;
      for (const pass of waiting) pass();
    },
  };
}
