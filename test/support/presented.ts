// Requests for revocation, introspection and userinfo, evaluated by a service with stores in memory.

import type { OAuthError } from '../../src/core/checks/errors.ts';
import type { Introspection } from '../../src/core/presented/introspection.ts';
import { SignedAnswer } from '../../src/core/presented/signed-answer.ts';
import type { TokenRequest } from '../../src/core/model/request.ts';
import type { Evaluation } from '../../src/core/checks/trace.ts';
import { createEvaluation } from '../../src/core/checks/trace.ts';
import type { UserinfoClaims, UserinfoRequest } from '../../src/core/presented/userinfo.ts';
import type { RequestParameters, TestService } from './core.ts';
import { evaluated, tokenRequest } from './core.ts';

export interface Presented<T> {
  readonly answer: T | null;
  readonly refusal: OAuthError | null;
  readonly evaluation: Evaluation;
}

/** A request of the demo client with a token, as a form. */
function presentation(
  token: string | undefined,
  parameters: RequestParameters = {},
  members: Partial<TokenRequest> = {},
): TokenRequest {
  const none = { audience: undefined, grant_type: undefined, redirect_uri: undefined };
  return tokenRequest({ ...none, token, ...parameters }, { content_type: 'form', ...members });
}

function bearer(token: string, members: Partial<UserinfoRequest> = {}): UserinfoRequest {
  return {
    content_type: null,
    parameters: new Map(),
    query: [],
    query_token: null,
    authorization: `Bearer ${token}`,
    dpop: null,
    ...members,
  };
}

/** @throws if the response is signed */
function unsigned<T>(answer: T | SignedAnswer): T {
  if (answer instanceof SignedAnswer) throw new Error('the response is signed');
  return answer;
}

let exchanges = 1000;

async function evaluate<T>(ask: (evaluation: Evaluation) => Promise<T>): Promise<Presented<T>> {
  const evaluation = createEvaluation(++exchanges);
  return evaluated(evaluation, () => ask(evaluation));
}

/** The three endpoints of a service; parameters and members override those of the demo client. */
export function presenting({ service }: TestService) {
  type More = [parameters?: RequestParameters, members?: Partial<TokenRequest>];
  return {
    revoke: (token: string | undefined, ...more: More) =>
      evaluate((evaluation) => service.revoke(presentation(token, ...more), evaluation)),
    introspect: (
      token: string | undefined,
      parameters?: RequestParameters,
      { accept = null, ...members }: Partial<TokenRequest> & { accept?: string | null } = {},
    ): Promise<Presented<Introspection>> =>
      evaluate(async (evaluation) =>
        unsigned(
          await service.introspect(
            { ...presentation(token, parameters, members), accept },
            evaluation,
          ),
        ),
      ),
    userinfo: (
      token: string,
      members?: Partial<UserinfoRequest>,
    ): Promise<Presented<UserinfoClaims>> =>
      evaluate(async (evaluation) =>
        unsigned(await service.userinfo(bearer(token, members), evaluation)),
      ),
  };
}
