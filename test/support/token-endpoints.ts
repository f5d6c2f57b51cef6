// Requests to the endpoints for presented tokens over real HTTP, and stock clients configured by discovery.

import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import type { Answered, HttpService } from './http-service.ts';
import { answeredBy, exchangeParameters, postJson, REDIRECT_URI, SECRET } from './http-service.ts';

export const CREDENTIALS = { client_id: 'demo-app', client_secret: SECRET } as const;
export const OTHER = { client_id: 'other-app', client_secret: 'other-secret' } as const;

export const ask = async (url: string, path: string, init: RequestInit = {}): Promise<Answered> =>
  answeredBy(await fetch(`${url}${path}`, init));

/** A form of the demo client to this path; undefined omits a parameter. */
export function present(
  url: string,
  path: string,
  parameters: Record<string, string | undefined>,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...CREDENTIALS, ...parameters })) {
    if (typeof value === 'string') body.append(name, value);
  }
  return ask(url, path, { method: 'POST', headers, body });
}

export const userinfo = (url: string, token: string): Promise<Answered> =>
  ask(url, '/userinfo', { headers: { Authorization: `Bearer ${token}` } });

export async function signIn(server: HttpService, order: Record<string, unknown> = {}) {
  const { url } = server;
  const { status, body } = await postJson(url, exchangeParameters(url, await server.code(order)));
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body as { access_token: string; refresh_token: string };
}

/** The stored exchange of this response. */
export function evaluationOf(server: HttpService, { headers }: Pick<Answered, 'headers'>) {
  const exchange = server.exchange(Number(headers.get('grantbench-exchange')));
  if (!exchange?.evaluation) throw new Error('not evaluated');
  return exchange.evaluation;
}

/** The default client authentication of clients, and the documented one of this service. */
export type AuthMethod = 'client_secret_basic' | 'client_secret_post';

export function openidClient(
  url: string,
  method: AuthMethod,
  metadata?: Partial<openid.ClientMetadata>,
  ...extensions: ((config: openid.Configuration) => void)[]
): Promise<openid.Configuration> {
  const authentication =
    method === 'client_secret_basic'
      ? openid.ClientSecretBasic(SECRET)
      : openid.ClientSecretPost(SECRET);
  return openid.discovery(new URL(url), 'demo-app', metadata, authentication, {
    execute: [openid.allowInsecureRequests, ...extensions],
  });
}

/** The parameters of an authorization request with PKCE, state and nonce, and the checks of its response. */
export async function openidRequest(more: Readonly<Record<string, string>> = {}) {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
  const parameters = {
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    ...more,
  };
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
  return { parameters, checks };
}

/** The app's URL to which the browser is sent with this response. */
export function callbackUrl(response: Record<string, string>): URL {
  const url = new URL(REDIRECT_URI);
  url.search = new URLSearchParams(response).toString();
  return url;
}

export async function oauthClient(url: string, method: AuthMethod) {
  const issuer = new URL(url);
  const options = { [oauth.allowInsecureRequests]: true };
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }),
  );
  const client: oauth.Client = { client_id: 'demo-app' };
  const authentication =
    method === 'client_secret_basic'
      ? oauth.ClientSecretBasic(SECRET)
      : oauth.ClientSecretPost(SECRET);
  /** The first arguments of a request. */
  const party = [as, client, authentication] as const;
  return { as, client, party, options };
}
