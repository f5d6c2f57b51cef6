// Where the endpoints are: steps name usual paths below the issuer, and a provider shape has paths of its own.

import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from '../core/records/endpoints.ts';
import type { ScenarioSandbox } from './runner/scenario-sandbox.ts';

/** Returns the endpoint with this usual path; a query is ignored. */
export function endpointAt(path: string): EndpointName | undefined {
  const [plain = ''] = path.split('?', 1);
  return ENDPOINT_NAMES.find((name) => ENDPOINTS[name].path === plain);
}

export type ServerAddress = Pick<ScenarioSandbox, 'issuer' | 'endpoints'>;

/** Returns how paths below the issuer become paths at the server. Those that already are stay as they are. */
export function serverPathsOf({ issuer, endpoints }: ServerAddress): (path: string) => string {
  const base = new URL(issuer).pathname.replace(/\/$/, '');
  const own = new Map(
    Object.entries(endpoints ?? {}).map(([name, url]) => [name, new URL(url).pathname]),
  );
  const atServer = new Set(own.values());
  return (path) => {
    const [plain = ''] = path.split('?', 1);
    const endpoint = endpointAt(plain);
    const known = endpoint === undefined ? undefined : own.get(endpoint);
    if (known !== undefined) return `${known}${path.slice(plain.length)}`;
    const isAtServer = atServer.has(plain) || (base !== '' && plain.startsWith(`${base}/`));
    return isAtServer ? path : `${base}${path}`;
  };
}

/** How the paths of endpoints end, here and at other servers. The first that matches counts. */
const ENDINGS: readonly (readonly [ending: RegExp, endpoint: EndpointName])[] = [
  [/\/\.well-known\/openid-configuration$/, 'openid_configuration'],
  [/\/\.well-known\/oauth-authorization-server$/, 'oauth_authorization_server'],
  [/\/(?:jwks|certs|keys|jwks\.json)$/, 'jwks'],
  [/\/tokens?$/, 'token'],
  [/\/par(?:\/request)?$/, 'pushed_authorization_request'],
  [/\/(?:revoke|revocation)$/, 'revocation'],
  [/\/(?:introspect|introspection)$/, 'introspection'],
  [
    /\/(?:device_?authorization|devicecode|auth\/device|device\/(?:code|authorize))$/,
    'device_authorization',
  ],
  [/\/user_?info$/, 'userinfo'],
  [/\/(?:authorize|authorization|auth)$/, 'authorization'],
  [/\/(?:logout|end_?session)$/, 'end_session'],
  [
    /\/(?:register|registration|clients-registrations\/openid-connect|oauth2\/v1\/clients)$/,
    'registration',
  ],
];

/** Returns the usual path of the endpoint that a path means by its end. @param path without a query */
export function usualPathOf(path: string): string | undefined {
  const plain = path.endsWith('/') ? path.slice(0, -1) : path;
  const endpoint = ENDINGS.find(([ending]) => ending.test(plain))?.[1];
  return endpoint && ENDPOINTS[endpoint].path;
}
