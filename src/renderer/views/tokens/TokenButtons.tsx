import { Button, Tooltip, Group } from '@mantine/core';
import { IconBan, IconCopy, IconHourglassEmpty, IconSend } from '@tabler/icons-react';
import { useCallback } from 'react';
import type { Credential } from '../../../control/schemas.ts';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { page, usePage } from '../../connection/state.ts';
import { openRun, sendStep } from '../../sending/open-run.ts';
import { confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notify.tsx';
import { useObstacle } from '../../connection/reach.ts';
import { useNeed } from '../../ui/use-need.ts';
import { isLive } from './credential.ts';
import { replayStep, forecastInWords, replayObstacle, revokesLineage } from './replay.ts';
import {
  valueOf,
  type Shown,
  copyToken,
  evaluateReplay,
  expireToken,
  revokeToken,
} from './token-actions.ts';
import { replayShown } from './open-token.ts';
import { useFollowed } from './use-credential.ts';

/** The newest live refresh token of its lineage; null for none. */
const refreshTokenOf = ({ lineage }: Shown): Credential | null =>
  lineage.members.findLast((member) => member.kind === 'refresh_token' && isLive(member)) ?? null;

/** Expires an access token, then refreshes it as its app would, with the refresh token of its lineage (RFC 6749 1.5). */
async function expireAndRefresh(shown: Shown): Promise<void> {
  const refresh_token = refreshTokenOf(shown);
  const { clients } = page.getState();
  const { id, client_id } = shown.credential;
  const client = clients.find((one) => one.client_id === client_id);
  if (refresh_token === null || client === undefined) return;
  const goOn = await confirm({
    title: 'Expire this access token and refresh it?',
    body: `It expires now, and Grantbench sends refresh token ${refresh_token.id} as ${client_id}. With rotation, your app is left with a replaced refresh token.`,
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
        ? `Expired ${id} and got a new access token (exchange #${number})`
        : `Expired ${id}, but the refresh was rejected (exchange #${number})`,
    );
  });
}

/** The actions on the open credential. */
export function TokenButtons({ shown }: { readonly shown: Shown }) {
  const { credential } = shown;
  const live = isLive(credential);
  const needs = useNeed('connection');
  const sends = useNeed('server');
  return (
    <Group gap={6} px="md" py="xs" role="toolbar" aria-label="Actions">
      <Button
        leftSection={<IconCopy size="1.1em" aria-hidden="true" />}
        onClick={() => void copyToken(credential)}
        {...needs}
      >
        Copy
      </Button>
      {credential.kind !== 'access_token' && <ReplayButton shown={shown} />}
      <Button
        disabled={!live}
        leftSection={<IconHourglassEmpty size="1.1em" aria-hidden="true" />}
        onClick={() => void expireToken(shown)}
        {...needs}
      >
        Expire now…
      </Button>
      {credential.kind === 'access_token' && refreshTokenOf(shown) !== null && (
        <Button disabled={!live} onClick={() => void expireAndRefresh(shown)} {...sends}>
          Expire and refresh…
        </Button>
      )}
      <Button
        color="bad"
        disabled={!live}
        leftSection={<IconBan size="1.1em" aria-hidden="true" />}
        onClick={() => void revokeToken(shown)}
        {...needs}
      >
        Revoke…
      </Button>
    </Group>
  );
}

/** What a forecast can depend on, besides the credential itself. */
const SOURCES = [
  'credentials_revision',
  'settings',
  'clients',
  'audiences',
  'users',
  'faults',
  'clock',
  'counters',
] as const;

const UNKNOWN = 'Evaluating…';

/** Replays a credential. Its tooltip shows the response that core expects. */
function ReplayButton({ shown }: { readonly shown: Shown }) {
  const { credential } = shown;
  const { id, kind, redirect_uri, audience, state } = credential;
  const client = usePage(
    ({ clients }) => clients.find(({ client_id }) => client_id === credential.client_id) ?? null,
  );
  const known = useObstacle('server') ?? replayObstacle(credential, client);
  const evaluate = useCallback(
    () =>
      client === null
        ? Promise.resolve(null)
        : evaluateReplay({ id, kind, redirect_uri, audience }, client),
    [id, kind, redirect_uri, audience, client],
  );
  // Time alone can change the forecast, as in a grace window, so it is evaluated again on hover and focus.
  const { value, problem, ask } = useFollowed(`${id} ${state}`, evaluate, SOURCES);
  const obstacle = known ?? (value === null ? (problem?.message ?? UNKNOWN) : null);
  const words = obstacle ?? `Expected: ${value === null ? '' : forecastInWords(value)}`;
  const revokes = value !== null && revokesLineage(value);
  return (
    <Tooltip label={words} multiline maw="22rem">
      <Button
        {...(revokes ? { color: 'bad' } : {})}
        {...(obstacle === null ? {} : { 'data-disabled': true, 'aria-disabled': true })}
        aria-description={words}
        leftSection={<IconSend size="1.1em" aria-hidden="true" />}
        onMouseEnter={ask}
        onFocus={ask}
        onClick={() => obstacle === null && void replayShown(shown)}
      >
        Replay{revokes ? '…' : ''}
      </Button>
    </Tooltip>
  );
}
