// Where the server listens, changed while it runs; the window remembers it for the next start.

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
 * Answers whether it was moved: in the window, the person may decline.
 * @throws what says why it cannot listen there; the former address is then listened on as before
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
