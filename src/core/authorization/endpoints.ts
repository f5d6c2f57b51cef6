// The authorization and logout endpoints' decisions, with what is kept between requests: sign-in sessions, the
// forms that people were asked with, and pushed requests. What must not be redirected is thrown, for a page.

import {
  addressRequest,
  type AskedAuthorization,
  type AuthorizationRequest,
  readRequest,
} from './request.ts';
import {
  checkPushed,
  createPushedRequests,
  push,
  pushedOrItself,
  type PushResponse,
} from './pushed-requests.ts';
import type { TokenRequest } from '../model/request.ts';
import { responseParameters } from './response.ts';
import {
  approve,
  type AuthorizationContext,
  type AuthorizationOutcome,
  settle,
  signedIn,
  spend,
  type Visitor,
} from './consent.ts';
import { createConsentForms } from './consent-forms.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import { evaluateLogout, type LogoutOutcome } from './logout.ts';
import type { Sessions } from './sessions.ts';
import { type Evaluation, fail, pass } from '../checks/trace.ts';

/** What a person decided on a form. */
export interface Decision {
  readonly form: string;
  readonly approved: boolean;
  readonly sub: string;
  /** Those left ticked. */
  readonly scopes: readonly string[];
}

export interface UserAuthorization {
  /** Takes in a pushed authorization request (RFC 9126). @throws OAuthError for every refusal */
  push(request: TokenRequest, evaluation: Evaluation): Promise<PushResponse>;
  /** @throws OAuthError that must not be redirected */
  evaluate(
    request: AuthorizationRequest,
    visitor: Visitor,
    evaluation: Evaluation,
  ): Promise<AuthorizationOutcome>;
  /** Evaluates a form that was sent. @throws OAuthError that must not be redirected */
  decide(
    decision: Decision,
    visitor: Visitor,
    evaluation: Evaluation,
  ): Promise<AuthorizationOutcome>;
  /** @throws OAuthError to be shown on a page; the session is then as it was */
  logout(
    request: AuthorizationRequest,
    visitor: Visitor,
    evaluation: Evaluation,
  ): Promise<LogoutOutcome>;
  /** Ends sessions and pushed requests that have expired, so that a clock set back brings none to life. */
  expireAll(now: number): void;
  /** Forgets what people were asked and agreed to for these clients, which are gone. */
  forgetClients(client_ids: ReadonlySet<string>): void;
  clear(): void;
}

/** Once the request is addressed, a refusal goes to the client (RFC 6749 4.1.2.1). */
async function answer(
  context: AuthorizationContext,
  decide: (asked: AskedAuthorization) => AuthorizationOutcome | Promise<AuthorizationOutcome>,
): Promise<AuthorizationOutcome> {
  const { domain, request, evaluation } = context;
  const addressed = addressRequest(request, domain, evaluation);
  try {
    checkPushed(request, addressed.client, domain, evaluation);
    return await decide(await readRequest(request, addressed, domain, evaluation));
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    fail(evaluation, error);
    spend(context);
    const { target } = addressed;
    const said = { error: error.code, error_description: error.description };
    const parameters = responseParameters(said, target.state, domain.issuer());
    return { kind: 'answer', target, parameters, session: null, refusal: error };
  }
}

export function createUserAuthorization(domain: Domain, sessions: Sessions): UserAuthorization {
  const { ports, registry } = domain;
  const forms = createConsentForms(ports.random, ports.sha256);
  const pushed = createPushedRequests(ports.random);
  const kept = { domain, sessions, forms, pushed };

  return {
    push: (request, evaluation) => push(domain, pushed, request, evaluation),
    evaluate: async (sent, visitor, evaluation) => {
      evaluation.endpoint = 'authorize';
      const request = pushedOrItself(sent, pushed, domain, evaluation);
      const context = { ...kept, request, visitor, evaluation };
      return answer(context, (asked) => settle(context, asked));
    },
    decide: async ({ form, approved, sub, scopes }, visitor, evaluation) => {
      evaluation.endpoint = 'authorize';
      const user = registry.users.get(sub);
      if (approved && user === undefined) throw new OAuthError('form_user_unknown');
      const request = forms.take(form, visitor.browser, ports.clock.now(), evaluation.exchange);
      pass(evaluation, 'form');
      if (request.request_uri !== undefined) pushed.checkUnused(request.request_uri);
      const context = { ...kept, request, visitor, evaluation };
      return answer(context, (asked) => {
        if (!approved || user === undefined) {
          throw new OAuthError('authorization_denied_by_person');
        }
        return approve(context, asked, user, scopes);
      });
    },
    logout: (request, visitor, evaluation) => {
      const present = signedIn(domain, sessions, visitor);
      return evaluateLogout(request, present?.session, domain, sessions, evaluation);
    },
    expireAll: (now) => {
      sessions.expireAll(now);
      pushed.expireAll(now);
    },
    forgetClients: (client_ids) => {
      sessions.forgetClients(client_ids);
      forms.forgetClients(client_ids);
      pushed.forgetClients(client_ids);
    },
    clear: () => {
      sessions.clear();
      forms.clear();
      pushed.clear();
    },
  };
}
