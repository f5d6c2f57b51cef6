// The connection of a page to the control server: slow, or lost for a while.

import type { Page, WebSocketRoute } from '@playwright/test';

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

interface LosableConnection {
  /** The number of calls that got no response. */
  readonly unanswered: () => number;
  /** Closes the connection, and refuses others until it is restored. */
  readonly lose: () => Promise<void>;
  readonly restore: () => void;
}

/**
 * To be called before the page is opened.
 * @param silent the path of an operation that gets no response until the connection is restored
 */
export async function losableConnection(page: Page, silent?: string): Promise<LosableConnection> {
  const sockets: WebSocketRoute[] = [];
  let [lost, restored, unanswered] = [false, false, 0];
  await page.routeWebSocket(/\/rpc$/, (socket) => {
    if (lost) return void socket.close();
    const server = socket.connectToServer();
    sockets.push(socket);
    socket.onMessage((message) => {
      if (silent === undefined || restored || !String(message).includes(silent))
        server.send(message);
      else unanswered += 1;
    });
  });
  return {
    unanswered: () => unanswered,
    lose: async () => {
      lost = true;
      await Promise.all(sockets.map((socket) => socket.close()));
    },
    restore: () => {
      [lost, restored] = [false, true];
    },
  };
}
