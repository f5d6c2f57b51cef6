// The grants this service knows: the list, nothing else.

import { authorizationCode } from './authorization-code.ts';
import type { Grant } from './grant.ts';
import { refreshToken } from './refresh-token.ts';

export const GRANTS: ReadonlyMap<string, Grant> = new Map(
  [authorizationCode, refreshToken].map((grant) => [grant.grant_type, grant]),
);
