// How a client proves itself with its secret: by fields of the body, or by HTTP Basic (RFC 6749 2.3.1).
// For the header, id and secret are form-encoded before they are joined, so that a colon or a character
// beyond ASCII survives (RFC 6749 appendix B).

import { base64OfText } from './base64.ts';
import { formBody } from './fields.ts';

/** Who asks. */
export interface Credentials {
  readonly client_id: string;
  /** null for a client that has none. */
  readonly client_secret: string | null;
}

/** Those of a client's record. @param secret to be sent in place of its own */
export const credentialsOf = (client: Credentials, secret: string | null = null): Credentials => ({
  client_id: client.client_id,
  client_secret: secret ?? client.client_secret,
});

const formEncoded = (text: string): string => formBody([['', text]]).slice(1);

/** Who asks, as the value of the Authorization header (RFC 6749 2.3.1). */
export const basicAuthorization = ({ client_id, client_secret }: Credentials): string =>
  `Basic ${base64OfText(`${formEncoded(client_id)}:${formEncoded(client_secret ?? '')}`)}`;

/** Whether an Authorization header is of this scheme, readable or not (RFC 7617 2). */
export const isBasic = (authorization: string | null): boolean =>
  /^basic\b/i.test(authorization ?? '');

/** Id and secret of an Authorization header (RFC 6749 2.3.1); null when it holds none. */
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
