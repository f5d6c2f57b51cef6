// Ready-made fault rules (behaviour 8): the bad days that come up most, each a rule to start from.

import type { z } from 'zod/mini';
import type { faultSchema } from '../records/fault.ts';

/** A rule as one writes it: members left out take their defaults. */
export type FaultDraft = Omit<z.input<typeof faultSchema>, 'id'>;

export interface FaultPreset {
  readonly id: string;
  /** What the client sees and why it matters, in a sentence. */
  readonly text: string;
  readonly fault: FaultDraft & { readonly name: string };
}

const TOKEN_REQUESTS = { path: '/oauth/token', method: 'POST' };
const JSON_HEADERS: [string, string][] = [
  ['Content-Type', 'application/json'],
  ['Cache-Control', 'no-store'],
  ['Pragma', 'no-cache'],
];

type Effect = FaultDraft['effect'];

const oauthError = (
  status: number,
  error: string,
  error_description: string,
  ...headers: [string, string][]
): Effect => ({
  kind: 'answer',
  status,
  headers: [...JSON_HEADERS, ...headers],
  body: JSON.stringify({ error, error_description }),
});

const gatewayPage = (status: number, reason: string): Effect => ({
  kind: 'answer',
  status,
  headers: [['Content-Type', 'text/html; charset=utf-8']],
  body: `<!doctype html>\n<title>${status} ${reason}</title>\n<h1>${status} ${reason}</h1>\n`,
});

interface Preset extends Omit<FaultPreset, 'fault'> {
  readonly name: string;
  readonly fault: Omit<FaultDraft, 'name'>;
}

const INSTEAD: readonly Preset[] = [
  {
    id: 'throttled_twice',
    name: '429 twice, then the truth',
    text: 'Two requests are told to come back in a second; a patient client gets through.',
    fault: {
      when: 'instead',
      times: 2,
      effect: oauthError(429, 'too_many_requests', 'scripted: too many requests', [
        'Retry-After',
        '1',
      ]),
    },
  },
  {
    id: 'unavailable_three_times',
    name: '503 three times',
    text: 'The service is down for three requests and says when to try again.',
    fault: {
      when: 'instead',
      times: 3,
      effect: oauthError(503, 'temporarily_unavailable', 'scripted: the service is unavailable', [
        'Retry-After',
        '1',
      ]),
    },
  },
  {
    id: 'unavailable_one_in_five',
    name: '503 for one in five',
    text: 'A shaky service: which requests fail depends on the seed, so a run can be repeated.',
    fault: {
      when: 'instead',
      times: null,
      probability: 0.2,
      effect: oauthError(503, 'temporarily_unavailable', 'scripted: the service is unavailable'),
    },
  },
  {
    id: 'server_error',
    name: '500 server_error',
    text: 'The service fails on one request.',
    fault: { when: 'instead', effect: oauthError(500, 'server_error', 'scripted: a fault') },
  },
  {
    id: 'invalid_grant',
    name: 'invalid_grant out of nowhere',
    text: 'A credential that is good is called bad: does the client sign in anew or loop?',
    fault: {
      when: 'instead',
      effect: oauthError(400, 'invalid_grant', 'scripted: the credential is not valid'),
    },
  },
  {
    id: 'html_instead_of_json',
    name: 'HTML instead of JSON',
    text: 'A gateway answers 502 with a page of its own; a client that parses it as JSON falls over.',
    fault: { when: 'instead', effect: gatewayPage(502, 'Bad Gateway') },
  },
  {
    id: 'dropped',
    name: 'Connection dropped',
    text: 'The connection is closed without an answer; nothing was consumed.',
    fault: { when: 'instead', effect: { kind: 'drop' } },
  },
  {
    id: 'silent',
    name: 'Silence for 30 s, then dropped',
    text: 'No answer comes: the client should have given up before.',
    fault: { when: 'instead', delay_ms: 30_000, effect: { kind: 'drop' } },
  },
];

const AFTER: readonly Preset[] = [
  {
    id: 'slow',
    name: 'Slow answer (5 s)',
    text: 'Each answer is true but comes five seconds late.',
    fault: { when: 'after', times: null, delay_ms: 5000, effect: { kind: 'truth' } },
  },
  {
    id: 'lost',
    name: 'Answer lost after it was consumed',
    text: 'The code or rotated refresh token is spent, but the client never hears of it.',
    fault: { when: 'after', effect: { kind: 'drop' } },
  },
  {
    id: 'gateway_timeout',
    name: '504 after it was consumed',
    text: 'A gateway gave up waiting: the credential is spent, and a retry with it is refused.',
    fault: { when: 'after', effect: gatewayPage(504, 'Gateway Timeout') },
  },
  {
    id: 'cut',
    name: 'Cut in the middle',
    text: 'Half of the body comes, then the connection is closed.',
    fault: { when: 'after', effect: { kind: 'cut' } },
  },
  {
    id: 'dribbled',
    name: 'Dribbled over 10 s',
    text: 'The body comes in small pieces: each read succeeds, the whole takes long.',
    fault: { when: 'after', effect: { kind: 'dribble' } },
  },
  {
    id: 'broken_json',
    name: 'Broken JSON',
    text: 'The body ends too early although its length is right.',
    fault: { when: 'after', effect: { kind: 'broken_json' } },
  },
  {
    id: 'wrong_content_type',
    name: 'JSON sent as text/html',
    text: 'A good answer under a content type that a strict client refuses.',
    fault: { when: 'after', effect: { kind: 'wrong_content_type' } },
  },
  {
    id: 'expires_in_absent',
    name: 'expires_in absent',
    text: 'RFC 6749 5.1 only recommends it: what does the client assume?',
    fault: { when: 'after', effect: { kind: 'expires_in', as: 'absent' } },
  },
  {
    id: 'expires_in_negative',
    name: 'expires_in negative',
    text: 'A client that refreshes on expiry may refresh for ever.',
    fault: { when: 'after', effect: { kind: 'expires_in', as: 'negative' } },
  },
  {
    id: 'expires_in_huge',
    name: 'expires_in huge',
    text: 'Beyond 32 bits, and beyond what a date can hold.',
    fault: { when: 'after', effect: { kind: 'expires_in', as: 'huge' } },
  },
  {
    id: 'expires_in_string',
    name: 'expires_in as a string',
    text: 'The number comes in quotes, as some servers write it.',
    fault: { when: 'after', effect: { kind: 'expires_in', as: 'string' } },
  },
  {
    id: 'expired_token',
    name: 'Token already expired',
    text: 'The access token is signed and well formed, but its exp has passed.',
    fault: { when: 'after', effect: { kind: 'expired_token' } },
  },
  {
    id: 'unpublished_key',
    name: 'Token signed by an unknown key',
    text: 'The signature is good, but no published key verifies it.',
    fault: { when: 'after', effect: { kind: 'unpublished_key' } },
  },
];

/** For token requests, and for one of them unless the name says otherwise. */
export const FAULT_PRESETS: readonly FaultPreset[] = [...INSTEAD, ...AFTER].map(
  ({ id, name, text, fault }) => ({
    id,
    text,
    fault: { name, match: TOKEN_REQUESTS, times: 1, ...fault },
  }),
);
