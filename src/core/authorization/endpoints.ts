// The decisions of the authorization and logout endpoints, with what they keep between requests: sign-in sessions,
// consent forms and pushed requests. An error that must not be redirected is thrown, to be shown on a page.

import { findUser } from '../registry/lists.ts';
import {
  type AddressedRequest,
  addressRequest,
  type RequestedAuthorization,
  readRequest,
} from './authorization-request.ts';
import type { AuthorizationRequest } from './request-parameters.ts';
import {
  checkPushed,
  createPushedRequests,
  push,
  pushedOrItself,
  spend,
} from './pushed-requests.ts';
import { openRequestObject } from './request-object.ts';
import { type TokenRequest, valueOf } from '../model/request.ts';
import { responseParameters } from './response.ts';
import type { AuthorizationContext, AuthorizationOutcome } from './consent.ts';
import { createConsentForms } from './consent-forms.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import { type Sessions, signedIn, type Visitor } from './sessions.ts';
import type { Credentials } from './authentication.ts';
import type { NewUser } from './form-extras.ts';
import type { User } from '../records/schemas.ts';
import type { SIGN_IN_ERRORS } from '../records/enumerations.ts';
import { type Evaluation, fail, pass } from '../checks/trace.ts';

/** The user's decision on a form. */
export interface Decision {
  readonly form: string;
  readonly approved: boolean;
  readonly sub: string;
  /** The scopes that the user left selected. */
  readonly scopes: readonly string[];
  /** The error that a tester chose instead of a decision. */
  readonly error?: (typeof SIGN_IN_ERRORS)[number];
  /** A user to add, who then signs in. */
  readonly new_user?: NewUser;
  /** A JSON object with the claims of this sign-in only; empty for none. */
  readonly claims?: string;
  readonly credentials: Credentials;
}

/** The refusals for the errors that can be chosen on the page. */
const CHOSEN_ERRORS = {
  login_required: 'sign_in_failed_by_person',
  server_error: 'server_error_by_person',
  temporarily_unavailable: 'unavailable_by_person',
} as const;

export type UserAuthorization = ReturnType<typeof createUserAuthorization>;

/** The response that sends the client an error (RFC 6749 4.1.2.1). */
function redirected(
  { target }: AddressedRequest,
  refusal: OAuthError,
  domain: Domain,
): AuthorizationOutcome {
  const fields = { error: refusal.code, error_description: refusal.description };
  const parameters = responseParameters(fields, target.state, domain.issuer());
  return { kind: 'answer', target, parameters, session: null, refusal };
}

/** Once client and redirect URI are known, a refusal is sent to the client (RFC 6749 4.1.2.1). */
async function answer(
  context: AuthorizationContext,
  decide: (
    requested: RequestedAuthorization,
  ) => AuthorizationOutcome | Promise<AuthorizationOutcome>,
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
    return redirected(addressed, error, domain);
  }
}

export function createUserAuthorization(domain: Domain, sessions: Sessions) {
  const { clientDocuments, ports, registry } = domain;
  const forms = createConsentForms(ports.random, ports.sha256);
  const pushed = createPushedRequests(ports.random);
  const kept = { domain, sessions, forms, pushed };
  const temporary = new WeakSet<User>();

  const opened = async (sent: AuthorizationRequest, evaluation: Evaluation) => {
    evaluation.endpoint = 'authorize';
    if (!sent.repeated.has('client_id')) await clientDocuments.fetch(valueOf(sent, 'client_id'));
    return openRequestObject(pushedOrItself(sent, pushed, domain, evaluation));
  };
  return {
    /** Evaluates and stores a pushed authorization request (RFC 9126). @throws OAuthError for every refusal */
    push: (request: TokenRequest, evaluation: Evaluation) =>
      push(domain, pushed, request, evaluation),
    /** Returns the redirect that rejects the request. @throws OAuthError if the request cannot be redirected */
    reject: async (sent: AuthorizationRequest, refusal: OAuthError, evaluation: Evaluation) => {
      const request = await opened(sent, evaluation);
      return redirected(addressRequest(request, domain, evaluation), refusal, domain);
    },
    /** @throws OAuthError that must not be redirected */
    evaluate: async (sent: AuthorizationRequest, visitor: Visitor, evaluation: Evaluation) => {
      const request = await opened(sent, evaluation);
      const context = { ...kept, request, visitor, evaluation };
      const { settle } = await import('./consent.ts');
      return answer(context, (requested) => settle(context, requested));
    },
    /** Evaluates a submitted form. @throws OAuthError that must not be redirected */
    decide: async (decision: Decision, visitor: Visitor, evaluation: Evaluation) => {
      const {
        form,
        approved,
        sub,
        scopes,
        error,
        new_user,
        claims: text = '',
        credentials,
      } = decision;
      evaluation.endpoint = 'authorize';
      // Only these need the schemas.
      const extras =
        approved && (text !== '' || new_user !== undefined)
          ? await import('./form-extras.ts')
          : null;
      const claims = extras === null || text === '' ? null : extras.readSignInClaims(text);
      const user =
        extras !== null && new_user !== undefined
          ? extras.readNewUser(new_user, registry)
          : findUser(sub, registry);
      if (approved && user === undefined) throw new OAuthError('form_user_unknown');
      const request = forms.take(form, visitor.browser, ports.clock.now(), evaluation.exchange);
      pass(evaluation, 'form');
      if (new_user !== undefined && user !== undefined) {
        registry.users.put(user);
        if (new_user.temporary) temporary.add(user);
      }
      if (request.request_uri !== undefined) pushed.checkUnused(request.request_uri);
      const context = { ...kept, request, visitor, evaluation };
      const { approve } = await import('./consent.ts');
      return answer(context, (requested) => {
        if (error !== undefined) throw new OAuthError(CHOSEN_ERRORS[error]);
        if (!approved || user === undefined) {
          throw new OAuthError('authorization_denied_by_person');
        }
        const approval = { user, ticked: scopes, claims, credentials, form };
        return approve(context, requested, approval);
      });
    },
    /** Whether the user was added on the page for this time only, and not changed since. */
    isTemporary: (user: User) => temporary.has(user),
    /** Whether the browser has a session of a user who is registered. */
    isSignedIn: (visitor: Visitor) => signedIn(domain, sessions, visitor) !== undefined,
    /** Returns the client_id of the request behind an unsent form; null if there is no such form. */
    clientOfForm: forms.clientOf,
    /** @throws OAuthError to be shown on a page; the session is then unchanged */
    logout: async (request: AuthorizationRequest, visitor: Visitor, evaluation: Evaluation) => {
      const { evaluateLogout } = await import('./logout.ts');
      const present = signedIn(domain, sessions, visitor)?.session;
      const outcome = await evaluateLogout(request, present, domain, sessions, evaluation);
      const { signed_out: sub, others: clients } = outcome;
      if (sub !== null && clients.length > 0) ports.emit({ type: 'signed_out', sub, clients });
      return outcome;
    },
    /** Ends expired sessions and pushed requests, so that they do not become live again when the clock is set back. */
    expireAll: (now: number) => {
      sessions.expireAll(now);
      pushed.expireAll(now);
    },
    /** Removes the forms, consents and pushed requests of these clients, which were deleted. */
    forgetClients: (client_ids: ReadonlySet<string>) => {
      sessions.forgetClients(client_ids);
      forms.forgetClients(client_ids);
      pushed.forgetClients(client_ids);
    },
    clear: () => {
      for (const user of registry.users.list()) {
        if (temporary.has(user)) registry.users.remove(user.sub);
      }
      sessions.clear();
      forms.clear();
      pushed.clear();
    },
  };
}
