// The endpoints that a provider may have at paths of its own, with the paths that they always have here and their
// members in the metadata (RFC 8414 2, OpenID Connect Discovery 3); and the path patterns of fault rules.

interface KnownEndpoint {
  /** Where it is whatever the shape; below the issuer's own path. */
  readonly path: string;
  /** Its member in the metadata; null for the metadata documents themselves. */
  readonly member: string | null;
  /** In a sentence. */
  readonly words: string;
}

export const ENDPOINTS = {
  authorization: {
    path: '/authorize',
    member: 'authorization_endpoint',
    words: 'authorization endpoint',
  },
  token: { path: '/oauth/token', member: 'token_endpoint', words: 'token endpoint' },
  pushed_authorization_request: {
    path: '/oauth/par',
    member: 'pushed_authorization_request_endpoint',
    words: 'endpoint of pushed authorization requests',
  },
  revocation: {
    path: '/oauth/revoke',
    member: 'revocation_endpoint',
    words: 'revocation endpoint',
  },
  introspection: {
    path: '/oauth/introspect',
    member: 'introspection_endpoint',
    words: 'introspection endpoint',
  },
  device_authorization: {
    path: '/oauth/device_authorization',
    member: 'device_authorization_endpoint',
    words: 'device authorization endpoint',
  },
  userinfo: { path: '/userinfo', member: 'userinfo_endpoint', words: 'userinfo endpoint' },
  end_session: { path: '/logout', member: 'end_session_endpoint', words: 'logout endpoint' },
  registration: {
    path: '/register',
    member: 'registration_endpoint',
    words: 'registration endpoint',
  },
  jwks: { path: '/.well-known/jwks.json', member: 'jwks_uri', words: 'JWK Set' },
  openid_configuration: {
    path: '/.well-known/openid-configuration',
    member: null,
    words: 'OpenID metadata',
  },
  oauth_authorization_server: {
    path: '/.well-known/oauth-authorization-server',
    member: null,
    words: 'authorization server metadata',
  },
} as const satisfies Readonly<Record<string, KnownEndpoint>>;

export type EndpointName = keyof typeof ENDPOINTS;

export const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as readonly EndpointName[];

/** Paths that are no endpoint of a provider and that nothing may take. */
export const OTHER_PATHS: readonly string[] = ['/', '/device', '/livez', '/readyz', '/favicon.ico'];

/**
 * Whether a path is one that the pattern of a fault rule means, in time that grows with their lengths alone: `*` stands
 * for any characters, slashes too (docs/reference/faults.md).
 */
export function fitsPattern(pattern: string, path: string): boolean {
  const [head = '', ...parts] = pattern.split('*');
  const tail = parts.pop();
  if (tail === undefined) return path === pattern;
  const end = path.length - tail.length;
  if (end < head.length || !path.startsWith(head) || !path.endsWith(tail)) return false;
  let at = head.length;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
