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

/** @throws what says why it cannot listen there; the former address is then listened on as before */
export async function moveServer(change: Change): Promise<void> {
  const former = page.getState().server?.issuer ?? '';
  const server = await control.server.start(change);
  page.setState({ server });
  const { port, host, https } = server;
  await appWindow?.rememberAddress({ port, host, https });
  notify(movedText(former, server));
}
