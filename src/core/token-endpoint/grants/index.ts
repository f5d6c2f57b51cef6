// The grants this service knows: the list, nothing else.

import { authorizationCode } from './authorization-code.ts';
import { clientCredentials } from './client-credentials.ts';
import type { Grant } from './grant.ts';
import { refreshToken } from './refresh-token.ts';

export const GRANTS: ReadonlyMap<string, Grant> = new Map(
  [authorizationCode, refreshToken, clientCredentials].map((grant) => [grant.grant_type, grant]),
);
