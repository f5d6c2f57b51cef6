// A token request as the server passes it to core: parsed and well formed, but not yet evaluated.

/** The media types of the two body formats (spec 4.1). */
export const MEDIA_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
} as const;

/** The DPoP header of a request, and the method and URI that its proof must match (RFC 9449 4.3). */
export interface DpopHeader {
  readonly value: string;
  readonly method: string;
  /** The value of the Host header; empty if there is none. */
  readonly host: string;
  /** The path as requested, without query. */
  readonly path: string;
}

/** A request at the token endpoint, in the terms of the protocol. */
export interface TokenRequest {
  readonly content_type: 'json' | 'form';
  /** Body parameters; each is a string. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Names of parameters that were sent more than once: only `resource` may be (RFC 8707 2). */
  readonly repeated: ReadonlySet<string>;
  /** Names of the parameters in the query string. */
  readonly query: readonly string[];
  /** The Authorization header as sent, or null. */
  readonly authorization: string | null;
  /** null without the header. */
  readonly dpop: DpopHeader | null;
  readonly ip: string;
}

/** What all requests of clients and browsers have. */
export type WithParameters = Pick<TokenRequest, 'parameters'>;

/** Returns the value of a parameter; undefined if it is missing or empty (RFC 6749 3.2). */
export function valueOf(request: WithParameters, name: string): string | undefined {
  return request.parameters.get(name) || undefined;
}

/** The token response (spec 2.1, RFC 6749 5.1). */
export interface TokenResponse {
  access_token: string;
  /** Absent in a refresh response unless the token was rotated. */
  refresh_token?: string;
  /** The type of the issued token, after a token exchange (RFC 8693 2.2.1). */
  issued_token_type?: string;
  /** `DPoP` when the access token is bound to a key (RFC 9449 5). */
  token_type: 'Bearer' | 'DPoP';
  /** Lifetime of the access token in seconds. */
  expires_in: number;
  /** Seconds until the refresh token expires unless it is used; only with the setting expiry_members. */
  refresh_token_timeout?: number;
  /** Seconds until the authorization ends, even if it is used; only with the setting expiry_members. */
  authorization_expires_in?: number;
  /** Only for an authorization with the scope openid (OpenID Connect Core 3.1.3.3). */
  id_token?: string;
  /** Present if it differs from the requested scope, or with the setting scope_member. */
  scope?: string;
}
