// Changes where the server listens, while it runs. The window remembers the address for the next start.

import type { ServerState } from '../../control/schemas.ts';
import { control } from '../connection/control.ts';
import { page } from '../connection/state.ts';
import { notify } from '../ui/notify.tsx';
import { appWindow } from './window.ts';

type Change = Parameters<typeof control.server.start>[0];

const movedText = (former: string, { issuer }: ServerState): string =>
  issuer === former
    ? `Running at ${issuer}`
    : `Running at ${issuer}. Access tokens that name ${former} are rejected from now on.`;

const addressOf = (server: ServerState | null) =>
  JSON.stringify([server?.state, server?.port, server?.host, server?.https]);

/**
 * Resolves to whether the server moved: in the window, the change may be declined.
 * @throws Error why it cannot listen there; it then listens on the former address again
 */
export async function moveServer(change: Change): Promise<boolean> {
  const former = page.getState().server;
  const server = await control.server.start(change);
  page.setState({ server });
  if (addressOf(server) === addressOf(former)) return false;
  await appWindow?.rememberAddress();
  notify(movedText(former?.issuer ?? server.issuer, server));
  return true;
}
