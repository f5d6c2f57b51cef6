// Tells the endpoint of a request from how its path ends, with this server's usual paths, a shape's and those of other
// servers.

import type { EndpointName } from '../../core/records/endpoints.ts';

/** The first that matches counts. */
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

/** @param path without a query */
export function endpointOf(path: string): EndpointName | undefined {
  const plain = path.endsWith('/') ? path.slice(0, -1) : path;
  return ENDINGS.find(([ending]) => ending.test(plain))?.[1];
}
