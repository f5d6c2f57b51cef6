import {
  IconKey,
  IconRefreshDot,
  IconTicket,
  IconBan,
  IconCheck,
  IconCircleDashed,
  IconCircleDot,
  IconHourglassEmpty,
  IconRefresh,
} from '@tabler/icons-react';
import type { Credential } from '../../../control/schemas.ts';
import { StatusTag } from '../../ui/status.tsx';
import { LifeMeter } from '../../inspector/TokenInspector.tsx';
import { KIND_WORDS, STATE_TONES, isLive, lifeInWords, lifeLeft } from './credential.ts';
import classes from './Tokens.module.css';

const KIND_ICONS = {
  code: IconTicket,
  access_token: IconKey,
  refresh_token: IconRefreshDot,
} as const;

/** What a credential is and the name it goes by. */
export function KindName({ kind, id }: Pick<Credential, 'kind' | 'id'>) {
  const Icon = KIND_ICONS[kind];
  return (
    <span className={classes.kind} data-kind={kind}>
      <Icon aria-hidden="true" stroke={1.6} />
      <span>{KIND_WORDS[kind]}</span>
      <code>{id}</code>
    </span>
  );
}

const STATE_ICONS = {
  issued: IconCircleDashed,
  active: IconCircleDot,
  redeemed: IconCheck,
  rotated: IconRefresh,
  expired: IconHourglassEmpty,
  revoked: IconBan,
} as const;

/** The state of a credential, in a word, a shape and a colour. */
export function StateTag({ state }: { readonly state: Credential['state'] }) {
  const Icon = STATE_ICONS[state];
  return (
    <span className={classes.stateTag}>
      <StatusTag tone={STATE_TONES[state]}>
        <span className={classes.state}>
          <Icon aria-hidden="true" stroke={2} />
          {state}
        </span>
      </StatusTag>
    </span>
  );
}

interface LifeCellProps {
  /** As it stands now. */
  readonly credential: Credential;
  /** Sandbox time in ms. */
  readonly now: number;
}

/** How much of its life is left, as a bar and in words; in words alone once it has ended. */
export function LifeCell({ credential, now }: LifeCellProps) {
  const words = lifeInWords(credential, now);
  if (!isLive(credential)) {
    return (
      <span className={classes.ended} title={words}>
        <span className={classes.endedState}>{credential.state} </span>
        {words.slice(credential.state.length + 1)}
      </span>
    );
  }
  return (
    <span className={classes.life}>
      <LifeMeter life={lifeLeft(credential, now)} words={words} />
      <span aria-hidden="true">{words.replace(/ left$/, '')}</span>
    </span>
  );
}
