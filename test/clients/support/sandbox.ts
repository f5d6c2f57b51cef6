// The built command line, and the settings that the page shows for one of its clients.

import { startServe, stopCli, type Ready } from '../../support/cli-process.ts';
import { ask } from '../../support/token-calls.ts';
import type { Client, ExchangeSummary, ServerState } from '../../../src/control/schemas.ts';
import { inputOf, incompatibility } from '../../../src/renderer/connect-app/library-input.ts';
import { SNIPPETS } from '../../../src/renderer/connect-app/libraries.ts';

export const USER = { sub: 'ada', name: 'Ada Example', email: 'ada@example.test' };

export interface Sandbox {
  readonly ready: Ready;
  /** Registers a client. @returns the settings of a library for it, as the page shows them */
  settingsOf(library: string, client: Partial<Client>): Promise<string>;
  /** The status of the newest exchange at this path. */
  newestAt(path: string): Promise<number | undefined>;
  stop(): Promise<void>;
}

/**
 * @param consent whether the consent page is shown; otherwise the user is signed in automatically
 * @param options further options of `serve`
 */
export async function startSandbox(
  { https = false, consent = false } = {},
  ...options: string[]
): Promise<Sandbox> {
  const cli = startServe('--quiet', ...(https ? ['--https'] : []), ...options);
  const ready = await cli.ready();
  const authorize = consent ? 'consent' : 'auto';
  await ask(ready, 'PATCH', '/settings', { authorize, profile: 'interop' });
  await ask(ready, 'PATCH', `/users/${USER.sub}`, USER);
  return {
    ready,
    settingsOf: async (library, client) => {
      const snippet = SNIPPETS.find(({ id }) => id === library);
      if (snippet === undefined) throw new Error(`the page has no settings of ${library}`);
      const registered = await ask<Client>(ready, 'POST', '/clients', {
        client_id: library,
        ...client,
      });
      const input = inputOf(registered, await ask<ServerState>(ready, 'GET', '/server'));
      const problem = incompatibility(snippet, input);
      if (problem !== null) throw new Error(problem);
      return snippet.text(input);
    },
    newestAt: async (path) => {
      const { items } = await ask<{ items: ExchangeSummary[] }>(
        ready,
        'GET',
        '/exchanges?limit=50',
      );
      return items.find((exchange) => exchange.path.split('?')[0] === path)?.status;
    },
    stop: () => stopCli(cli),
  };
}
