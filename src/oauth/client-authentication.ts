// Client authentication with a secret: in fields of the body, or with HTTP Basic (RFC 6749 2.3.1). For HTTP Basic, id
// and secret are form-encoded before they are joined, because they may contain colons and non-ASCII characters (RFC
// 6749 appendix B).

import { base64OfText } from './base64.ts';
import { formBody } from './fields.ts';

/** The client that sends a request. */
export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string | null;
}

/** Returns the credentials of a client's record. @param secret to be sent instead of its own */
export const credentialsOf = (client: Credentials, secret: string | null = null): Credentials => ({
  client_id: client.client_id,
  client_secret: secret ?? client.client_secret,
});

const formEncoded = (text: string): string => formBody([['', text]]).slice(1);

/** Returns the credentials as the value of the Authorization header (RFC 6749 2.3.1). */
export const basicAuthorization = ({ client_id, client_secret }: Credentials): string =>
  `Basic ${base64OfText(`${formEncoded(client_id)}:${formEncoded(client_secret ?? '')}`)}`;

/** Whether an Authorization header has this scheme, even if it is malformed (RFC 7617 2). */
export const isBasic = (authorization: string | null): boolean =>
  /^basic\b/i.test(authorization ?? '');

/** Returns id and secret of an Authorization header (RFC 6749 2.3.1); null if it has none. */
export function readBasic(authorization: string | null): Credentials | null {
  if (authorization === null || !isBasic(authorization)) return null;
  try {
    const [id = '', ...secret] = atob(authorization.replace(/^basic\s+/i, '')).split(':');
    const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
    return { client_id: decode(id), client_secret: decode(secret.join(':')) };
  } catch {
    return null;
  }
}
