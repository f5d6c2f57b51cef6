// What stands in a scenario for secrets, which it never holds. A sandbox of its own registers the stand-ins, so that what
// was right is right there, and what was wrong is wrong.

import type { Client, Exchange } from '../../control/schemas.ts';
import { basicAuthorization, type Credentials } from '../../oauth/client-authentication.ts';

export const secretOf = ({ client_id }: Pick<Client, 'client_id'>): string =>
  `the-secret-of-${client_id}`;

export const WRONG_SECRET = 'not-the-secret-of-this-client';
export const RIGHT_PASSWORD = 'the-password-of-this-user';
export const WRONG_PASSWORD = 'not-the-password-of-this-user';
export const INITIAL_ACCESS_TOKEN = 'the-initial-access-token';
/** For a code or a token that nothing in the recording issued. */
export const UNKNOWN_CREDENTIAL = 'nobody-issued-this';

/** An Authorization header with a secret that is not the client's. */
export const wrongBasic = (sent: Credentials | null): string =>
  basicAuthorization({ client_id: sent?.client_id ?? '', client_secret: WRONG_SECRET });

/** Whether the password that the request sent was accepted (RFC 6749 4.3.2). */
export const hadPassword = ({ why }: Exchange): boolean => why?.check !== 'user';
