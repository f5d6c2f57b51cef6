// Fault rules: every preset and kind, matching, number of hits, and the operations that manage them. Delays are a few
// milliseconds of machine time.

import type { HttpStep, Session, Step } from '../document.ts';
import {
  bearer,
  clientCredentials,
  control,
  get,
  mint,
  ORDERS,
  refresh,
  session,
  settings,
} from './steps.ts';

type Rule = Readonly<Record<string, unknown>>;

/** Presets with short delays. */
const PRESETS: readonly (readonly [string, number, Rule?])[] = [
  ['throttled_twice', 3],
  ['unavailable_three_times', 4],
  ['unavailable_one_in_five', 6],
  ['server_error', 2],
  ['invalid_grant', 2],
  ['html_instead_of_json', 1],
  ['dropped', 2],
  ['silent', 1, { delay_ms: 5 }],
  ['slow', 1, { delay_ms: 5 }],
  ['lost', 1],
  ['gateway_timeout', 1],
  ['cut', 1],
  ['dribbled', 1, { effect: { kind: 'dribble', duration_ms: 60 } }],
  ['broken_json', 1],
  ['wrong_content_type', 1],
  ['expires_in_absent', 1],
  ['expires_in_negative', 1],
  ['expires_in_huge', 1],
  ['expires_in_string', 1],
  ['expired_token', 1],
  ['unpublished_key', 1],
  ['id_token_other_audience', 1],
  ['id_token_unsigned', 1],
  ['token_type_unknown', 1],
];

const arm = (rule: Rule, name = 'arm'): HttpStep => control('POST /faults', rule, { name });

const presets = PRESETS.flatMap(([preset, times, rule]): Step[] => [
  arm({ id: preset, preset, ...rule }, `arm ${preset}`),
  ...Array.from({ length: times }, (_, index): HttpStep => {
    const step = refresh(`${preset}, request ${index + 1}`);
    return preset === 'cut' ? { ...step, only_length: true } : step;
  }),
  control(`GET /faults/${preset}`),
  control('DELETE /faults'),
]);

const any = { when: 'after', match: {} };

const matching: readonly Step[] = [
  arm({
    id: 'path',
    when: 'instead',
    match: { path: '/.well-known/*' },
    effect: {
      kind: 'answer',
      status: 503,
      headers: [
        ['X-Fault', 'yes'],
        ['X-Fault', 'twice'],
      ],
      body: 'down',
    },
  }),
  get('a path that fits', '/.well-known/jwks.json', {
    headers: ['Origin: https://app.example.test'],
  }),
  get('a path that does not', '/userinfo'),
  get('health is spared', '/livez'),
  { name: 'a preflight is spared', http: 'OPTIONS /.well-known/jwks.json' },
  arm({
    id: 'method',
    when: 'instead',
    match: { method: 'OPTIONS' },
    effect: { kind: 'answer', status: 204 },
  }),
  { name: 'unless it is meant', http: 'OPTIONS /oauth/token' },
  arm({
    id: 'grant',
    when: 'instead',
    match: { grant_type: 'client_credentials' },
    effect: {
      kind: 'answer',
      status: 500,
      headers: [['Access-Control-Allow-Origin', 'https://x.example']],
      body: '{"error":"bent"}',
    },
  }),
  clientCredentials('a grant that fits', { audience: ORDERS }),
  arm({
    id: 'client',
    when: 'instead',
    match: { client_id: 'other-app' },
    effect: { kind: 'drop' },
  }),
  refresh('a client that fits', { client_id: 'other-app', client_secret: 'other-secret' }),
  refresh('a client that does not'),
  control('GET /faults'),
  control('POST /faults/client/move', { position: 0 }),
  control('POST /faults/client/move', { position: 99 }),
  control('POST /faults/nothing/move', { position: 0 }),
  control('PATCH /faults/client', { enabled: false, name: 'Off' }),
  refresh('a rule that is off', { client_id: 'other-app', client_secret: 'other-secret' }),
  control('PATCH /faults/client', { enabled: true, effect: { kind: 'answer', status: 418 } }),
  refresh('another effect', { client_id: 'other-app', client_secret: 'other-secret' }),
  control('PATCH /faults/client', { when: 'later' }),
  control('DELETE /faults/client'),
  control('DELETE /faults/client'),
  control('GET /faults/client'),
  control('DELETE /faults'),
  arm({
    id: 'bent',
    ...any,
    times: 2,
    effect: { kind: 'wrong_content_type', content_type: 'text/plain' },
  }),
  get('metadata under another content type', '/.well-known/jwks.json'),
  get('a refusal under another content type', '/userinfo'),
  get('used up', '/userinfo'),
  arm({ id: 'cut', ...any, times: null, effect: { kind: 'cut', after_bytes: 3 } }),
  get('cut after three bytes', '/userinfo'),
  control('DELETE /faults/cut'),
  arm({ id: 'absent', ...any, times: 1, effect: { kind: 'expires_in', as: 'absent' } }),
  get('nothing to bend gives it back', '/userinfo'),
  control('GET /faults/absent'),
  { name: 'HEAD is not bent', http: 'HEAD /.well-known/jwks.json' },
  control('POST /reset', {}),
  control('GET /faults/absent'),
];

const refused: readonly Step[] = [
  control('GET /fault-presets'),
  arm({ preset: 'nothing' }, 'an unknown preset'),
  arm({}, 'nothing'),
  arm({ id: 'x', when: 'instead', effect: { kind: 'broken_json' } }, 'instead of what'),
  arm({ id: 'x', when: 'after', effect: { kind: 'bicycle' } }, 'an unknown kind'),
  arm({ id: 'x', when: 'instead', match: { path: '/livez' }, effect: { kind: 'drop' } }, 'health'),
  arm({ id: 'x', when: 'instead', effect: { kind: 'answer', status: 100 } }, 'no final status'),
  arm(
    { id: 'x', when: 'instead', effect: { kind: 'answer', status: 204, body: 'x' } },
    'a body with 204',
  ),
  arm(
    {
      id: 'x',
      when: 'instead',
      effect: { kind: 'answer', status: 200, headers: [['Content-Length', '1']] },
    },
    'a header of our own',
  ),
  arm({ id: 'x', when: 'instead', probability: 2, effect: { kind: 'drop' } }, 'a probability of 2'),
  arm({ id: 'x', preset: 'dropped', unknown: 1 }, 'an unknown member'),
  arm({ id: 'x', preset: 'dropped' }),
  arm({ id: 'x', preset: 'dropped' }, 'the same id'),
  { ...arm({ preset: 'dropped' }, 'an id is made'), save: { id: 'json:id' } },
  control('GET /faults?limit=1', undefined, { save: { next: 'json:next' } }),
  control('GET /faults?limit=1&after=${next}'),
  control('GET /faults?limit=0'),
];

export function faultSessions(): [string, Session][] {
  return [
    [
      'fault-presets',
      session('Every preset', { throttle: { mode: 'off' } }, [
        mint({ scope: 'openid' }),
        ...presets,
      ]),
    ],
    ['fault-matching', session('What faults match', {}, [mint({ scope: 'openid' }), ...matching])],
    ['fault-rules', session('Fault rules over control', {}, refused)],
    [
      'fault-dialect',
      session('A fault leaves the dialect alone', { dialect: 'auth0', cors: false }, [
        mint(),
        arm({ id: 'x', preset: 'invalid_grant' }),
        refresh('scripted'),
        get('not scripted', '/userinfo', { headers: [bearer('x')] }),
        settings({ exchange_header: false }),
        arm({ id: 'y', preset: 'dropped' }),
        refresh('dropped without a number'),
      ]),
    ],
  ];
}
