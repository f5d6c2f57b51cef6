// A token request as the server hands it over: read and well formed, not yet judged.

/** The media types of the two body formats (spec 4.1). */
export const MEDIA_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
} as const;

/** What came to the token endpoint, in the protocol's terms. */
export interface TokenRequest {
  readonly content_type: 'json' | 'form';
  /** Body parameters; each came once and is a string. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Names of the parameters in the query string. */
  readonly query: readonly string[];
  /** The Authorization header as sent, or null. */
  readonly authorization: string | null;
  readonly ip: string;
}

/** A parameter's value; one sent without a value counts as left out (RFC 6749 3.2). */
export function valueOf(
  request: Pick<TokenRequest, 'parameters'>,
  name: string,
): string | undefined {
  return request.parameters.get(name) || undefined;
}

/** The token response (spec 2.1, RFC 6749 5.1). */
export interface TokenResponse {
  access_token: string;
  /** Absent in a refresh response unless the token was rotated. */
  refresh_token?: string;
  token_type: 'Bearer';
  /** Lifetime of the access token in seconds. */
  expires_in: number;
  /** Seconds until the refresh token expires unless it is used; behind a switch. */
  refresh_token_timeout?: number;
  /** Seconds until the authorization ends, whatever is done; behind a switch. */
  authorization_expires_in?: number;
  /** Only for an authorization that had `openid` (OpenID Connect Core 3.1.3.3). */
  id_token?: string;
  /** Only when it differs from the scope asked for. */
  scope?: string;
}
