// The list of supported grants, each with a file. A grant finds its credential, checks everything, consumes, signs and
// inserts, in this order, so that a rejected request changes nothing. It never writes a response.

import { authorizationCode } from './authorization-code.ts';
import { clientCredentials } from './client-credentials.ts';
import { deviceCode } from './device-code.ts';
import type { ProfileRules } from '../../checks/profiles.ts';
import type { Grant } from './grant.ts';
import { jwtBearer } from './jwt-bearer.ts';
import { password } from './password.ts';
import { refreshToken } from './refresh-token.ts';
import { tokenExchange } from './token-exchange.ts';

export const GRANTS: ReadonlyMap<string, Grant> = new Map(
  [
    authorizationCode,
    refreshToken,
    clientCredentials,
    tokenExchange,
    deviceCode,
    jwtBearer,
    password,
  ].map((grant) => [grant.grant_type, grant]),
);

/** Returns the names of the grants that clients can use under these rules. */
export const grantsServed = (rules: ProfileRules): string[] =>
  [...GRANTS.values()]
    .filter(({ rejectedBy }) => !rejectedBy?.(rules))
    .map(({ grant_type }) => grant_type);
