// An access token that ends, and what its app does next: the refresh token of its lineage brings another (RFC 6749 1.5).

import type { Credential } from '../../../control/schemas.ts';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';
import { openRun, sendStep } from '../../sending/open-run.ts';
import { confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notify.tsx';
import { isLive } from './credential.ts';
import { replayStep } from './replay.ts';
import { valueOf, type Shown } from './token-actions.ts';

/** The newest live refresh token beside it; null for none. */
export const refreshTokenOf = ({ lineage }: Shown): Credential | null =>
  lineage.members.findLast((member) => member.kind === 'refresh_token' && isLive(member)) ?? null;

export async function expireAndRefresh(shown: Shown): Promise<void> {
  const refresh_token = refreshTokenOf(shown);
  const { clients } = page.getState();
  const { id, client_id } = shown.credential;
  const client = clients.find((one) => one.client_id === client_id);
  if (refresh_token === null || client === undefined) return;
  const goOn = await confirm({
    title: 'Expire this access token and refresh it?',
    body: `It expires now, and refresh token ${refresh_token.id} is sent as ${client_id} would send it. With rotation, the app then holds a replaced refresh token.`,
    confirm: 'Expire and refresh',
    danger: true,
  });
  if (!goOn) return;
  await attempt('The access token was not expired and refreshed.', async () => {
    const value = await valueOf(refresh_token);
    await control.tokens.expire({ id });
    const step = replayStep(refresh_token, value, client);
    const { status, number } = await sendStep(step, openRun());
    notify(
      status === 200
        ? `${id} is expired, and its refresh token brought another (exchange #${number})`
        : `${id} is expired, but the refresh was rejected: see exchange #${number}`,
    );
  });
}
