import { Button, Tooltip } from '@mantine/core';
import { IconBan, IconCopy, IconHourglassEmpty, IconSend } from '@tabler/icons-react';
import { useObstacle } from '../../connection/reach.ts';
import { usePage } from '../../connection/state.ts';
import { isLive } from './credential.ts';
import { replayShown } from './open-token.ts';
import { useCallback } from 'react';
import { forecastInWords, replayObstacle, revokesLineage } from './replay.ts';
import { expireAndRefresh, refreshTokenOf } from './expire-and-refresh.ts';
import {
  copyToken,
  evaluateReplay,
  expireToken,
  revokeToken,
  type Shown,
} from './token-actions.ts';
import classes from './Tokens.module.css';
import { useNeed } from '../../ui/use-need.ts';
import { useFollowed } from './use-followed.ts';

/** What can be done to the credential that is open. */
export function TokenButtons({ shown }: { readonly shown: Shown }) {
  const { credential } = shown;
  const live = isLive(credential);
  const needs = useNeed('connection');
  const sends = useNeed('server');
  return (
    <div className={classes.buttons} role="toolbar" aria-label="Actions">
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
    </div>
  );
}

/** What a forecast may depend on, beside the credential itself. */
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

const UNKNOWN = 'Asking what would happen…';

/** Sends it again, and says beforehand what core expects to come of it. */
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
  // Time alone may change it, as in a grace window: it is asked again when somebody looks.
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
