// Ready-made fault rules (behaviour 8): the most common failures, each a rule to start from.

import type { z } from 'zod/mini';
import type { faultSchema } from '../records/fault.ts';

/** A rule as it is written by hand: omitted members get their defaults. */
type FaultDraft = Omit<z.input<typeof faultSchema>, 'id'>;

interface FaultPreset {
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

interface Preset extends Omit<FaultDraft, 'when'> {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

const INSTEAD: readonly Preset[] = [
  {
    id: 'throttled_twice',
    name: '429 twice, then normal responses',
    text: 'Two requests get 429 with Retry-After: 1. A client that waits succeeds.',
    times: 2,
    effect: oauthError(429, 'too_many_requests', 'scripted: too many requests', [
      'Retry-After',
      '1',
    ]),
  },
  {
    id: 'unavailable_three_times',
    name: '503 three times',
    text: 'The service is unavailable for three requests and sends Retry-After.',
    times: 3,
    effect: oauthError(503, 'temporarily_unavailable', 'scripted: the service is unavailable', [
      'Retry-After',
      '1',
    ]),
  },
  {
    id: 'unavailable_one_in_five',
    name: '503 for one in five',
    text: 'One request in five fails. The seed decides which, so a run can be repeated.',
    times: null,
    probability: 0.2,
    effect: oauthError(503, 'temporarily_unavailable', 'scripted: the service is unavailable'),
  },
  {
    id: 'server_error',
    name: '500 server_error',
    text: 'The service fails on one request.',
    effect: oauthError(500, 'server_error', 'scripted: server error'),
  },
  {
    id: 'invalid_grant',
    name: 'Spurious invalid_grant',
    text: 'A valid credential is rejected. Does the client authorize again, or loop?',
    effect: oauthError(400, 'invalid_grant', 'scripted: the credential is not valid'),
  },
  {
    id: 'html_instead_of_json',
    name: 'HTML instead of JSON',
    text: 'A gateway responds with 502 and an HTML page. Does the client parse it as JSON?',
    effect: gatewayPage(502, 'Bad Gateway'),
  },
  {
    id: 'dropped',
    name: 'Connection dropped',
    text: 'The connection is closed without a response; nothing was consumed.',
    effect: { kind: 'drop' },
  },
  {
    id: 'silent',
    name: 'No response for 30 s, then dropped',
    text: 'No response is sent. The client should time out first.',
    delay_ms: 30_000,
    effect: { kind: 'drop' },
  },
];

const AFTER: readonly Preset[] = [
  {
    id: 'slow',
    name: 'Slow response (5 s)',
    text: 'Each response is normal but five seconds late.',
    times: null,
    delay_ms: 5000,
    effect: { kind: 'truth' },
  },
  {
    id: 'lost',
    name: 'Response lost after consumption',
    text: 'The code or refresh token is consumed, but the client gets no response.',
    effect: { kind: 'drop' },
  },
  {
    id: 'gateway_timeout',
    name: '504 after consumption',
    text: 'A gateway timed out. The credential is consumed, and a retry with it is rejected.',
    effect: gatewayPage(504, 'Gateway Timeout'),
  },
  {
    id: 'cut',
    name: 'Response cut off in the middle',
    text: 'Half of the body is sent, then the connection is closed.',
    effect: { kind: 'cut' },
  },
  {
    id: 'dribbled',
    name: 'Slow body over 10 s',
    text: 'The body is sent in small pieces: each read succeeds, but the whole takes long.',
    effect: { kind: 'dribble' },
  },
  {
    id: 'broken_json',
    name: 'Broken JSON',
    text: 'The JSON ends too early, although Content-Length is right.',
    effect: { kind: 'broken_json' },
  },
  {
    id: 'wrong_content_type',
    name: 'JSON sent as text/html',
    text: 'A normal response with a content type that a strict client rejects.',
    effect: { kind: 'wrong_content_type' },
  },
  {
    id: 'expires_in_absent',
    name: 'expires_in absent',
    text: 'RFC 6749 5.1 only recommends expires_in. What does the client assume?',
    effect: { kind: 'expires_in', as: 'absent' },
  },
  {
    id: 'expires_in_negative',
    name: 'expires_in negative',
    text: 'A client that refreshes on expiry may refresh forever.',
    effect: { kind: 'expires_in', as: 'negative' },
  },
  {
    id: 'expires_in_huge',
    name: 'expires_in huge',
    text: 'The value exceeds 32 bits and the range of a date.',
    effect: { kind: 'expires_in', as: 'huge' },
  },
  {
    id: 'expires_in_string',
    name: 'expires_in as a string',
    text: 'The number is sent as a string, as some servers do.',
    effect: { kind: 'expires_in', as: 'string' },
  },
  {
    id: 'expired_token',
    name: 'Token already expired',
    text: 'The access token is signed and well formed, but its exp has passed.',
    effect: { kind: 'expired_token' },
  },
  {
    id: 'unpublished_key',
    name: 'Token signed with an unknown key',
    text: 'The token is signed, but no published key verifies it.',
    effect: { kind: 'unpublished_key' },
  },
];

/** What a client must refuse in a login; `grantbench check` has a case for each of these and more. */
const EDITED: readonly Preset[] = [
  {
    id: 'state_changed',
    name: 'Another state',
    text: 'The authorization response has another state. Does the app redeem the code?',
    match: { path: '/authorize' },
    effect: {
      kind: 'edit_authorization_response',
      edits: [{ member: 'state', do: 'append', text: '-other' }],
    },
  },
  {
    id: 'issuer_changed',
    name: 'Another iss in the response',
    text: 'The authorization response names another issuer (RFC 9207).',
    match: { path: '/authorize' },
    effect: {
      kind: 'edit_authorization_response',
      edits: [{ member: 'iss', do: 'set', value: 'https://other-issuer.invalid' }],
    },
  },
  {
    id: 'id_token_other_audience',
    name: 'ID token for another client',
    text: 'The ID token is signed and well formed, but its aud names another client.',
    effect: {
      kind: 'edit_id_token',
      claims: [{ member: 'aud', do: 'set', value: 'https://stranger.invalid' }],
    },
  },
  {
    id: 'id_token_unsigned',
    name: 'Unsigned ID token',
    text: 'The ID token has alg none and no signature.',
    effect: { kind: 'edit_id_token', sign: 'none' },
  },
  {
    id: 'token_type_unknown',
    name: 'Unknown token_type',
    text: 'RFC 6749 7.1: a client must not use a token of a type that it does not know.',
    effect: { kind: 'edit_json', edits: [{ member: 'token_type', do: 'set', value: 'unknown' }] },
  },
  {
    id: 'userinfo_other_user',
    name: 'UserInfo of another user',
    text: 'The sub of UserInfo differs from that of the ID token.',
    match: { path: '/userinfo' },
    effect: { kind: 'edit_json', edits: [{ member: 'sub', do: 'append', text: '-other' }] },
  },
  {
    id: 'metadata_other_issuer',
    name: 'Metadata of another issuer, every time',
    text: 'The metadata names another issuer.',
    times: null,
    match: { path: '/.well-known/o*' },
    effect: {
      kind: 'edit_json',
      edits: [{ member: 'issuer', do: 'set', value: 'https://other-issuer.invalid' }],
    },
  },
  {
    id: 'jwks_empty',
    name: 'Empty JWK Set, every time',
    text: 'The JWK Set has no keys, so that no signature can be verified.',
    times: null,
    match: { path: '/.well-known/jwks.json' },
    effect: { kind: 'edit_json', edits: [{ member: 'keys', do: 'set', value: [] }] },
  },
];

/** For token requests, and for one of them, unless the name says otherwise. */
const asRules = (when: FaultDraft['when'], presets: readonly Preset[]): FaultPreset[] =>
  presets.map(({ id, text, ...fault }) => ({
    id,
    text,
    fault: { when, match: TOKEN_REQUESTS, times: 1, ...fault },
  }));

export const FAULT_PRESETS: readonly FaultPreset[] = [
  ...asRules('instead', INSTEAD),
  ...asRules('after', [...AFTER, ...EDITED]),
];
