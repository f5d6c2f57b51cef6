// The API that an access token is asked for where no authorization has decided it before.

import { pass, type Evaluation } from '../checks/trace.ts';
import type { TokenRequest } from '../model/request.ts';
import type { Client } from '../records/schemas.ts';
import { checkAudience, namedAudience } from './audiences.ts';
import type { Registry } from './lists.ts';

interface AskedAudience {
  readonly request: TokenRequest;
  readonly evaluation: Evaluation;
  readonly client: Client;
  readonly registry: Registry;
  readonly issuer: string;
}

/**
 * The specification asks for an audience only where a code is exchanged (spec 4.1.1); here `audience` or
 * `resource` may name one.
 * @param usual the audience when none is named; left out, that of the client or the issuer
 * @throws OAuthError `invalid_target` for one that is not registered
 */
export function decideAudience(
  { request, evaluation, client, registry, issuer }: AskedAudience,
  usual?: string,
): string {
  const named = namedAudience(request, { audience: 'optional' }, issuer);
  const audience = named ?? usual ?? client.default_audience ?? issuer;
  checkAudience(audience, registry, issuer);
  pass(evaluation, 'audience', {
    got: audience,
    ...(named === undefined ? { note: 'not sent: the default was used' } : {}),
  });
  return audience;
}
