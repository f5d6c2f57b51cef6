// Throttling and advisories: each mode, windows by both clocks, disabled headers, client limits, counters over
// control, addresses behind a proxy.

import type { Session, Step } from '../document.ts';
import {
  clientCredentials,
  control,
  exchange,
  issueCode,
  mint,
  ORDERS,
  pass,
  refresh,
  session,
  settings,
  tokenForm,
} from './steps.ts';

const three = { throttle: { limit: 3, window_seconds: 60 } };

const burst = (count: number): Step[] =>
  Array.from({ length: count }, (_, index) => refresh(`refresh ${index + 1}`));

const enforced: readonly Step[] = [
  mint(),
  ...burst(5),
  control('GET /throttle', undefined, { save: { counter: 'json:items.0.id' } }),
  control('GET /throttle/${counter}'),
  control('GET /throttle/unknown'),
  pass(59),
  refresh('a second before'),
  pass(1),
  refresh('the next window'),
  // The order of counters last used at the same time is unspecified.
  pass(1),
  mint(),
  refresh('another token'),
  pass(1),
  ...Array.from({ length: 4 }, (_, index) =>
    refresh(`unknown ${index + 1}`, { refresh_token: 'guessed' }),
  ),
  pass(1),
  ...Array.from({ length: 4 }, (_, index) =>
    exchange(`unknown code ${index + 1}`, { code: 'guessed' }),
  ),
  pass(1),
  ...Array.from({ length: 4 }, (_, index) =>
    clientCredentials(`client ${index + 1}`, { audience: ORDERS }),
  ),
  refresh('not counted before the client is known', { client_secret: 'x' }),
  control('GET /throttle?limit=2', undefined, { save: { next: 'json:next' } }),
  control('GET /throttle?limit=2&after=${next}'),
  control('GET /throttle?limit=0'),
  control('DELETE /throttle/${counter}'),
  control('DELETE /throttle/${counter}'),
  control('DELETE /throttle'),
  control('GET /throttle'),
  control('PATCH /clock', { now: '2031-01-01T00:00:00Z' }),
  ...burst(4),
  control('PATCH /clock', { reset: true }),
  refresh('the clock was set back'),
];

const families: readonly Step[] = [
  mint(),
  settings({ throttle: { limit: 1, ratelimit_headers: false } }),
  ...burst(2),
  settings({ throttle: { ratelimit_headers: true, x_ratelimit_headers: false } }),
  ...burst(1),
  settings({ throttle: { x_ratelimit_headers: true, retry_after_header: false } }),
  ...burst(1),
  settings({ throttle: { ratelimit_headers: false, x_ratelimit_headers: false } }),
  ...burst(1),
  settings({ throttle: { mode: 'observe', ratelimit_headers: true, retry_after_header: true } }),
  ...burst(2),
  control('GET /throttle'),
  settings({ throttle: { mode: 'off' } }),
  ...burst(1),
  settings({ throttle: { mode: 'enforce', limit: 2, window_seconds: 10 }, exchange_header: false }),
  control('PATCH /clients/demo-app', { throttle: { limit: 1, window_seconds: 5 } }),
  control('DELETE /throttle'),
  ...burst(2),
  control('GET /throttle'),
];

const proxied = (name: string, forwarded: string) =>
  refresh(name, {}, { headers: [`X-Forwarded-For: ${forwarded}`] });

const addresses: readonly Step[] = [
  mint(),
  proxied('not trusted', '192.0.2.1'),
  proxied('not trusted either', '192.0.2.2'),
  settings({ throttle: { trust_proxy: true } }),
  pass(1),
  proxied('one', '192.0.2.1'),
  proxied('the same', '198.51.100.7, 192.0.2.1'),
  pass(1),
  proxied('another', '192.0.2.2'),
  pass(1),
  proxied('over IPv6', '::ffff:192.0.2.1'),
  pass(1),
  proxied('no address', 'unknown'),
  control('GET /throttle'),
];

const redundant: readonly Step[] = [
  issueCode({ audience: ORDERS, scope: 'openid' }),
  exchange('the first token', {}, { save: { refresh_token: 'json:refresh_token' } }),
  refresh('redundant'),
  refresh('another scope', { scope: '' }),
  issueCode({ audience: ORDERS, scope: 'openid' }),
  exchange('authorized again'),
  clientCredentials('for itself', { audience: ORDERS }),
  clientCredentials('for itself again', { audience: ORDERS }),
  pass(86_400 - 8640),
  refresh('a tenth of its life is left'),
  pass(86_400 - 8640 + 1),
  refresh('less than a tenth'),
  control('GET /advisories'),
  control('GET /advisories?client_id=nobody'),
  control('GET /advisories?limit=0'),
  tokenForm('revoked', {
    client_id: 'demo-app',
    client_secret: 'demo-secret',
    token: '${refresh_token}',
  }),
];

export function throttlingSessions(): [string, Session][] {
  return [
    ['throttle-enforced', session('Throttling', three, enforced)],
    [
      'throttle-auth0',
      session(
        'Throttling in the dialect auth0',
        { ...three, dialect: 'auth0' },
        enforced.slice(0, 8),
      ),
    ],
    ['throttle-headers', session('Throttling: modes and headers', {}, families)],
    ['throttle-addresses', session('Throttling: addresses', { throttle: { limit: 2 } }, addresses)],
    ['advisories', session('Redundant requests', {}, redundant)],
  ];
}
