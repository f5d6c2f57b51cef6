// The state of a credential by the sandbox clock, and texts for kinds and states. Pure.

import type { Credential } from '../../../control/schemas.ts';
import { clockInWords, momentInFull, pastInFull, pastInWords } from '../../../oauth/moments.ts';
import { capitalized, durationInWords } from '../../../words.ts';
import type { Tone } from '../../ui/status.tsx';
import type { Life } from '../../../oauth/claims.ts';

type Kind = Credential['kind'];
type State = Credential['state'];

export const KIND_WORDS: Record<Kind, string> = {
  code: 'Code',
  access_token: 'Access token',
  refresh_token: 'Refresh token',
};

/** The kind inside a sentence: "the access token". */
export const kindWords = (kind: Kind): string => KIND_WORDS[kind].toLowerCase();

export const STATE_TONES: Record<State, Tone> = {
  issued: 'info',
  active: 'ok',
  inactive: 'bad',
  redeemed: 'muted',
  rotated: 'muted',
  expired: 'warn',
  revoked: 'bad',
};

export const isLive = ({ state }: Pick<Credential, 'state'>): boolean =>
  state === 'issued' || state === 'active';

/**
 * The credential in its current state. The page is not notified when a credential expires.
 * @param now sandbox time in ms
 */
export function asOf<T extends Credential>(credential: T, now: number): T {
  if (credential.ended_at !== null || Date.parse(credential.expires_at) > now) return credential;
  return { ...credential, state: 'expired', ended_at: credential.expires_at };
}

export function lifeLeft({ issued_at, expires_at }: Credential, now: number): Life {
  const [from, until] = [Date.parse(issued_at), Date.parse(expires_at)];
  return { whole: Math.max(1, (until - from) / 1000), left: (until - now) / 1000 };
}

/** A moment in its largest unit: `3 min ago`. */
const roughly = (at: number, now: number): string =>
  pastInWords(at, now).replace(/(\b\d+ \w+) \d+ \w+/, '$1');

/** The remaining lifetime, or when it ended: `23 h 59 min left`, `redeemed 3 s ago`. */
export function lifeInWords(credential: Credential, now: number): string {
  if (isLive(credential)) return `${durationInWords(lifeLeft(credential, now).left)} left`;
  const { state, ended_at } = credential;
  return ended_at === null ? state : `${state} ${roughly(Date.parse(ended_at), now)}`;
}

/** The time when it was issued, with the date unless it was today. */
export const issuedInWords = ({ issued_at }: Credential, now: number): string =>
  clockInWords(Date.parse(issued_at), now);

/** A moment in the life of a credential. */
export interface CredentialTime {
  readonly name: string;
  /** RFC 3339. */
  readonly at: string;
  readonly words: string;
  /** The number of the exchange that caused it; null for none. */
  readonly by: number | null;
}

/**
 * When it was issued, and when it ended or will end. If it ended early, its original expiry is added: the exp claim
 * of a JWT, on which an API may still rely.
 * @param signed whether it is a JWT
 */
export function timesOf(credential: Credential, signed: boolean, now: number): CredentialTime[] {
  const { issued_at, expires_at, ended_at, issued_by, ended_by, state } = credential;
  const past = (at: string) => pastInFull(Date.parse(at), now);
  const future = (at: string) => momentInFull(Date.parse(at), now);
  const issued = { name: 'Issued', at: issued_at, words: past(issued_at), by: issued_by };
  if (ended_at === null) {
    return [issued, { name: 'Expires', at: expires_at, words: future(expires_at), by: null }];
  }
  const ended: CredentialTime = {
    name: capitalized(state),
    at: ended_at,
    words: past(ended_at),
    by: ended_by,
  };
  if (ended_at === expires_at) return [issued, ended];
  const name = signed ? 'exp claim' : 'Lifetime';
  const over = Date.parse(expires_at) <= now;
  const words = signed
    ? future(expires_at)
    : `${over ? 'would have ended' : 'would end'} ${future(expires_at)}`;
  return [issued, ended, { name, at: expires_at, words, by: null }];
}
