// The control operations for callers in this process: the contract as over a socket, without the socket.

import { createRouterClient } from '@orpc/server';
import type { ControlClient } from '../../control/client.ts';
import { wholeOf } from '../exchanges/piecewise-document.ts';
import type { Router } from './index.ts';

const isFeed = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;

export function createLocalClient(router: Router): ControlClient {
  const client = createRouterClient(router, {
    interceptors: [
      async ({ next }) => {
        const answer = await wholeOf(await next());
        // A record of the registry must not be changed by whoever was shown it.
        return isFeed(answer) ? answer : structuredClone(answer);
      },
    ],
  });
  return client;
}
