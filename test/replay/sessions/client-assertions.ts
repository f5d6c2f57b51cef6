// Clients that sign assertions (private_key_jwt), with a violation of each rule of RFC 7523. Assertions are signed
// with fixed keys for the fixed start time of sessions, and stored unchanged.

import type { JWK, JWTHeaderParameters } from 'jose';
import { importJWK, SignJWT } from 'jose';
import { readKeys } from '../corpus-files.ts';
import type { HttpStep, Session } from '../document.ts';
import { START } from '../sandbox.ts';
import {
  clientCredentials,
  clientsWith,
  ISSUER,
  ORDERS,
  pass,
  session,
  tokenForm,
  workspace,
} from './steps.ts';
import type { Parameters } from './steps.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const NOW = START / 1000;

type Claims = Readonly<Record<string, unknown>>;
type Sign = (claims?: Claims, header?: Partial<JWTHeaderParameters>) => Promise<string>;

const publicOf = ({ d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...jwk }: JWK): JWK => jwk;

/** EdDSA, because its signatures are deterministic. */
const signer = (jwk: JWK, kid: string): Sign => {
  let made = 0;
  return async (claims = {}, header = {}) => {
    made += 1;
    const own: Claims = {
      iss: 'jwt-app',
      sub: 'jwt-app',
      aud: ISSUER,
      iat: NOW,
      exp: NOW + 60,
      jti: `jti-${made}`,
    };
    const all = Object.entries({ ...own, ...claims }).filter(([, value]) => value !== undefined);
    return new SignJWT(Object.fromEntries(all))
      .setProtectedHeader({ alg: 'EdDSA', kid, ...header })
      .sign(await importJWK(jwk, 'EdDSA'));
  };
};

const request = (
  name: string,
  client_assertion: string | undefined,
  more: Parameters = {},
): HttpStep =>
  clientCredentials(name, {
    client_id: undefined,
    client_secret: undefined,
    audience: ORDERS,
    client_assertion_type: JWT_BEARER,
    client_assertion,
    ...more,
  });

const unsigned = (header: Claims, claims: Claims) =>
  [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');

/** The signature of another assertion. */
async function exchanged(sign: Sign): Promise<string> {
  const [one, other] = [await sign(), await sign()].map((jwt) => jwt.split('.'));
  return [...(one ?? []).slice(0, 2), other?.[2]].join('.');
}

async function steps(sign: Sign) {
  const good = await sign();
  const claims = { iss: 'jwt-app', sub: 'jwt-app', aud: ISSUER, exp: NOW + 60, jti: 'unsigned' };
  const broken = async (name: string, members: Claims) => request(name, await sign(members));
  return [
    request('good', good),
    request('used again', good),
    request('with the client_id beside it', await sign({ aud: `${ISSUER}/oauth/token` }), {
      client_id: 'jwt-app',
    }),
    request('among other audiences', await sign({ aud: ['https://x.example', ISSUER] })),
    request('without kid', await sign({}, { kid: undefined as unknown as string })),
    tokenForm('for a code', {
      grant_type: 'authorization_code',
      client_assertion_type: JWT_BEARER,
      client_assertion: await sign(),
      code: 'x',
    }),
    request('no assertion', undefined),
    request('no type', await sign(), { client_assertion_type: undefined }),
    request('another type', await sign(), { client_assertion_type: 'urn:x' }),
    request('no JWT', 'x.y'),
    request('beside a secret', await sign(), { client_id: 'jwt-app', client_secret: 'x' }),
    request('of another client than named', await sign(), { client_id: 'demo-app' }),
    request('none where it is needed', undefined, {
      client_assertion_type: undefined,
      client_id: 'jwt-app',
    }),
    await broken('sub of an unregistered client', { sub: 'nobody' }),
    request('sub of another client', await sign({ sub: 'demo-app' }), { client_id: 'jwt-app' }),
    await broken('iss of another client', { iss: 'demo-app' }),
    await broken('no iss', { iss: undefined }),
    await broken('iss that is no string', { iss: 7 }),
    request('not signed', `${unsigned({ alg: 'none' }, claims)}.`),
    request('signed with a secret', `${unsigned({ alg: 'HS256' }, claims)}.x`),
    request('an unknown key', await sign({}, { kid: 'unknown' })),
    request(
      'a key of another kind',
      `${unsigned({ alg: 'ES256', kid: 'first' }, claims)}.${'A'.repeat(86)}`,
    ),
    request(
      'a key that cannot be read',
      `${unsigned({ alg: 'ES256', kid: 'unreadable' }, claims)}.${'A'.repeat(86)}`,
    ),
    request('the signature of another one', await exchanged(sign)),
    await broken('another aud', { aud: 'https://x.example' }),
    await broken('aud that is no text', { aud: [7] }),
    await broken('no aud', { aud: undefined }),
    await broken('no exp', { exp: undefined }),
    await broken('exp that is no number', { exp: 'soon' }),
    await broken('expired', { exp: NOW - 1 }),
    await broken('good for too long', { exp: NOW + 3700 }),
    await broken('issued in the future', { iat: NOW + 120 }),
    await broken('not to be used before', { nbf: NOW + 120 }),
    await broken('no jti', { jti: undefined }),
    pass(61),
    request('expired by the clock', await sign()),
  ];
}

export async function clientAssertionSessions(): Promise<[string, Session][]> {
  const { signing } = await readKeys();
  const { EdDSA: own = {}, ES256: other = {} } = signing;
  const first = { ...publicOf(own), kid: 'first' };
  const client = {
    client_id: 'jwt-app',
    client_secret: null,
    token_endpoint_auth_method: 'private_key_jwt',
    grant_types: ['authorization_code', 'client_credentials'],
    redirect_uris: ['http://localhost:3000/callback'],
    jwks: { keys: [first, { ...publicOf(other), kid: 'unreadable', y: 'AAAA' }] },
  };
  const members = { clients: clientsWith(client) };
  const sign = signer(own, 'first');
  const done = await steps(sign);
  const of = (profile: string): Session => {
    const named = session(`Client assertions: profile ${profile}`, {}, done);
    const settings = { profile };
    return {
      ...named,
      sandbox: { ...named.sandbox, workspace: workspace({ ...members, settings }) },
    };
  };
  const auth0 = session('Client assertions in the dialect auth0', {}, done.slice(0, 8));
  return [
    ['client-assertions', of('interop')],
    ['client-assertions-documented', { ...of('documented'), steps: done.slice(0, 12) }],
    [
      'client-assertions-auth0',
      {
        ...auth0,
        sandbox: {
          ...auth0.sandbox,
          workspace: workspace({ ...members, settings: { profile: 'interop', dialect: 'auth0' } }),
        },
      },
    ],
  ];
}
