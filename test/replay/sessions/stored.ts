// Keys and stored files: the saved workspace, the state file, a restart with both, and the same files from an earlier
// build.

import type { Session, Step } from '../document.ts';
import {
  bearer,
  control,
  DEMO,
  get,
  ISSUER,
  mint,
  post,
  refresh,
  session,
  settings,
  workspace,
} from './steps.ts';

const introspect = (name: string, token = '${access_token}') =>
  post(name, '/oauth/introspect', { ...DEMO, token });

const keys: readonly Step[] = [
  control('GET /keys', undefined, { save: { first: 'json:items.0.kid' } }),
  mint({ scope: 'openid' }),
  control('POST /keys', {}, { save: { second: 'json:kid' } }),
  get('both are published', '/.well-known/jwks.json'),
  get('the former key is good', '/userinfo', { headers: [bearer()] }),
  mint({ scope: 'openid' }),
  control('POST /keys', { alg: 'EdDSA' }),
  control('POST /keys', { alg: 'HS256' }),
  get('shared keys are not published', '/.well-known/jwks.json'),
  control('POST /keys', { alg: 'none' }),
  control('POST /keys', { alg: 'RS256', jwk: { kty: 'oct', alg: 'HS256', k: 'x' } }),
  control('POST /keys', { jwk: { kty: 'EC', alg: 'ES256', crv: 'P-256', x: 'x', y: 'y', d: 'd' } }),
  control('POST /keys', { jwk: { kty: 'RSA', alg: 'ES256', n: 'x', e: 'AQAB', d: 'd' } }),
  control('POST /keys', {
    jwk: { kty: 'oct', alg: 'HS256', k: 'c2hhcmVkIHNlY3JldCBvZiBtb3JlIHRoYW4gMzIgYnl0ZXM' },
  }),
  control('POST /keys/${second}/retire'),
  get('of a retired key', '/userinfo', { headers: [bearer()] }),
  control('POST /keys/${second}/retire', undefined, { name: 'retired again' }),
  control('POST /keys/${first}/retire'),
  control('GET /keys'),
  settings({ signing_alg: 'EdDSA' }),
  mint({ scope: 'openid' }),
  get('another algorithm', '/userinfo', { headers: [bearer()] }),
  get('metadata', '/.well-known/openid-configuration'),
  control('GET /workspace'),
];

const saved: readonly Step[] = [
  control('POST /clients', {
    client_id: 'saved-app',
    client_secret: 'saved-secret',
    claims: { a: { b: [1] } },
  }),
  control('DELETE /clients/service-app'),
  settings({ profile: 'interop', throttle: { limit: 7 } }),
  control('POST /faults', { id: 'saved', preset: 'throttled_twice', name: 'Kept' }),
  control('GET /server'),
  { name: 'the workspace as it is saved', file: 'workspace' },
  { name: 'a restart', restart: true },
  control('GET /workspace'),
  control('GET /server'),
];

const kept: readonly Step[] = [
  mint({ scope: 'openid' }),
  { name: 'what is kept', file: 'keep' },
  mint({ scope: 'openid', sub: 'bob' }),
  {
    ...control(
      'POST /tokens',
      { client_id: 'demo-app', scope: 'openid' },
      { save: { other_token: 'json:access_token' } },
    ),
  },
  post('revoked', '/oauth/revoke', { ...DEMO, token: '${other_token}' }),
  control(
    'POST /tokens',
    { client_id: 'demo-app' },
    { save: { third_token: 'json:access_token', lineage: 'json:lineage_id' } },
  ),
  control('POST /lineages/${lineage}/revoke'),
  control('POST /keys', {}, { save: { kid: 'json:kid' } }),
  { name: 'denials are kept', file: 'keep' },
  { name: 'a restart', restart: true },
];

/** Checks of tokens that were issued before a restart. */
const after: readonly Step[] = [
  introspect('a token of the former start'),
  get('and its user', '/userinfo', { headers: [bearer()] }),
  introspect('a revoked one', '${other_token}'),
  introspect('one of a revoked lineage', '${third_token}'),
  refresh('refresh tokens are gone'),
  get('the keys are the same', '/.well-known/jwks.json'),
  control('GET /keys'),
  mint(),
  { name: 'what is kept now', file: 'keep' },
];

export function storedSessions(): [string, Session][] {
  const files = { workspace: workspace(), issuer: ISSUER, keep: true, save: true } as const;
  return [
    ['keys', session('Keys', {}, keys)],
    [
      'workspace-saved',
      session('A workspace that is saved', {}, saved, {
        workspace: workspace(),
        keys: ['ES256'],
        issuer: ISSUER,
        save: true,
      }),
    ],
    [
      'kept',
      session('Tokens that outlive a restart', {}, [...kept, ...after], {
        ...files,
        leaves: 'left-behind',
      }),
    ],
    [
      'found',
      session('Files that an earlier build left', {}, [control('GET /workspace'), ...after], {
        ...files,
        found: 'left-behind',
      }),
    ],
  ];
}
