// The issuer identifier: one string, which may end with a slash, and what follows from that.

/**
 * The issuer without its trailing slash: endpoints and well-known paths are below it (RFC 8414 3.1, OpenID
 * Connect Discovery 4.1).
 */
export const baseOf = (issuer: string): string =>
  issuer.endsWith('/') ? issuer.slice(0, -1) : issuer;

/** Whether a URI names the issuer, with or without the trailing slash. */
export const namesIssuer = (uri: string, issuer: string): boolean => baseOf(uri) === baseOf(issuer);
