// A token request as the server passes it on: read and well formed, not yet evaluated.

/** The media types of the two body formats (spec 4.1). */
export const MEDIA_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
} as const;

/** The DPoP header of a request, and the request that its proof has to be made for (RFC 9449 4.3). */
export interface DpopHeader {
  readonly value: string;
  readonly method: string;
  /** As in the Host header; empty when there is none. */
  readonly host: string;
  /** The path as requested, without query. */
  readonly path: string;
}

/** What came to the token endpoint, in the protocol's terms. */
export interface TokenRequest {
  readonly content_type: 'json' | 'form';
  /** Body parameters; each is a string. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Names of those that came more than once: only `resource` may (RFC 8707 2). */
  readonly repeated: ReadonlySet<string>;
  /** Names of the parameters in the query string. */
  readonly query: readonly string[];
  /** The Authorization header as sent, or null. */
  readonly authorization: string | null;
  /** null without the header. */
  readonly dpop: DpopHeader | null;
  readonly ip: string;
}

/** What every request of a client or a browser has. */
export type WithParameters = Pick<TokenRequest, 'parameters'>;

/** A parameter's value; one sent without a value counts as left out (RFC 6749 3.2). */
export function valueOf(request: WithParameters, name: string): string | undefined {
  return request.parameters.get(name) || undefined;
}

/** The token response (spec 2.1, RFC 6749 5.1). */
export interface TokenResponse {
  access_token: string;
  /** Absent in a refresh response unless the token was rotated. */
  refresh_token?: string;
  /** The type of what was issued, after a token exchange (RFC 8693 2.2.1). */
  issued_token_type?: string;
  /** `DPoP` when the access token is bound to a key (RFC 9449 5). */
  token_type: 'Bearer' | 'DPoP';
  /** Lifetime of the access token in seconds. */
  expires_in: number;
  /** Seconds until the refresh token expires unless it is used; behind a switch. */
  refresh_token_timeout?: number;
  /** Seconds until the authorization ends, whatever is done; behind a switch. */
  authorization_expires_in?: number;
  /** Only for an authorization that had `openid` (OpenID Connect Core 3.1.3.3). */
  id_token?: string;
  /** When it differs from the scope asked for, or behind a switch. */
  scope?: string;
}
