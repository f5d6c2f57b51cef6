// The endpoints for which a shape may have its own paths, with their usual paths and their members in the metadata
// (RFC 8414 2, OpenID Connect Discovery 3); and the path patterns of fault rules.

interface KnownEndpoint {
  /** The usual path, which every shape keeps, below the path of the issuer. */
  readonly path: string;
  /** Its member in the metadata; null for the metadata documents themselves. */
  readonly member: string | null;
  /** The endpoint in a sentence. */
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

/** Paths that the service itself uses and that no shape may use. */
export const OTHER_PATHS: readonly string[] = ['/', '/device', '/livez', '/readyz', '/favicon.ico'];

/**
 * Whether a path matches the pattern of a fault rule, in which `*` matches any characters, including slashes
 * (docs/reference/faults.md). Takes time linear in their lengths.
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

/**
 * Returns the issuer without its trailing slash; endpoints and well-known paths are below it (RFC 8414 3.1, OpenID
 * Connect Discovery 4.1).
 */
export const baseOf = (issuer: string): string =>
  issuer.endsWith('/') ? issuer.slice(0, -1) : issuer;
