import { Button, Tooltip } from '@mantine/core';
import { IconBan, IconCopy, IconHourglassEmpty, IconSend } from '@tabler/icons-react';
import { usePage } from '../../connection/state.ts';
import { replayForecast, replayObstacle } from './consequences.ts';
import { isLive } from './credential.ts';
import { replayShown } from './open-token.ts';
import { expireAndRefresh, refreshTokenOf } from './expire-and-refresh.ts';
import { copyToken, expireToken, revokeToken, type Shown } from './token-actions.ts';
import classes from './Tokens.module.css';

interface TokenButtonsProps {
  readonly shown: Shown;
  readonly now: number;
}

/** What can be done to the credential that is open. */
export function TokenButtons({ shown, now }: TokenButtonsProps) {
  const { credential } = shown;
  const live = isLive(credential);
  return (
    <div className={classes.buttons} role="toolbar" aria-label="Actions">
      <Button
        leftSection={<IconCopy size="1.1em" aria-hidden="true" />}
        onClick={() => void copyToken(credential)}
      >
        Copy
      </Button>
      {credential.kind !== 'access_token' && <ReplayButton shown={shown} now={now} />}
      <Button
        disabled={!live}
        leftSection={<IconHourglassEmpty size="1.1em" aria-hidden="true" />}
        onClick={() => void expireToken(shown)}
      >
        Expire now…
      </Button>
      {credential.kind === 'access_token' && refreshTokenOf(shown) !== null && (
        <Button disabled={!live} onClick={() => void expireAndRefresh(shown)}>
          Expire and refresh…
        </Button>
      )}
      <Button
        color="bad"
        disabled={!live}
        leftSection={<IconBan size="1.1em" aria-hidden="true" />}
        onClick={() => void revokeToken(shown)}
      >
        Revoke…
      </Button>
    </div>
  );
}

/** Sends it again, and says beforehand what should come of it. */
function ReplayButton({ shown, now }: TokenButtonsProps) {
  const { credential, lineage } = shown;
  const client = usePage((state) =>
    state.clients.find(({ client_id }) => client_id === credential.client_id),
  );
  const rotation = usePage((state) => state.settings?.refresh_rotation);
  const running = usePage((state) => state.server?.state === 'running');
  if (rotation === undefined) return null;
  const obstacle =
    replayObstacle(credential, client ?? null) ??
    (running ? null : 'The server is stopped. Start it to replay.');
  const { answer, revokes } = replayForecast(credential, lineage, rotation, now);
  return (
    <Tooltip label={obstacle ?? `Expected: ${answer}`} multiline maw="22rem">
      <Button
        {...(revokes ? { color: 'bad' } : {})}
        {...(obstacle === null ? {} : { 'data-disabled': true, 'aria-disabled': true })}
        aria-description={obstacle ?? `Expected: ${answer}`}
        leftSection={<IconSend size="1.1em" aria-hidden="true" />}
        onClick={() => obstacle === null && void replayShown(shown)}
      >
        Replay{revokes ? '…' : ''}
      </Button>
    </Tooltip>
  );
}
