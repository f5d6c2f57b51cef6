// GET and POST /authorize (behaviour 7): an authorization request, or the consent form that a user submitted. Core
// decides; this file shows pages, redirects, and sets cookies.

import type { IncomingHttpHeaders } from 'node:http';
import {
  signedParameters,
  type SentParameters,
  uriWith,
  uriWithFragment,
} from '../../core/authorization/response.ts';
import type { AuthorizationOutcome, Question } from '../../core/authorization/consent.ts';
import { OAuthError } from '../../core/checks/errors.ts';
import { SIGN_IN_ERRORS } from '../../core/records/enumerations.ts';
import type { TokenService } from '../../core/service.ts';
import { pass } from '../../core/checks/trace.ts';
import type { Decision } from '../../core/authorization/endpoints.ts';
import { evaluationOf, type PendingExchange } from '../pending-exchange.ts';
import {
  asRequest,
  chosenSub,
  type Cookies,
  credentialsIn,
  FORM_FIELD,
  readFields,
  readCookies,
} from '../browser-request.ts';
import { queryNames } from '../body.ts';
import { failureOf, page, redirect, refusePage } from '../html.ts';
import type { Answer } from '../reply.ts';
import type { EndpointHandler } from '../route.ts';

/** Whether the sign-in page has its aids for testers (behaviour 7.5). */
function hasExtras({ settings, isLocal }: TokenService): boolean {
  const { extras = 'local' } = settings().sign_in_page ?? {};
  return extras === 'on' || (extras === 'local' && isLocal());
}

/** @throws OAuthError if the form contains no decision, or a field that the page does not have */
function readDecision(fields: URLSearchParams, service: TokenService): Decision {
  const fieldOf = (name: string) => fields.get(name)?.trim() ?? '';
  const decision = fieldOf('decision');
  const sub = chosenSub(fields);
  const error = SIGN_IN_ERRORS.find((one) => one === decision);
  const claims = fieldOf('claims');
  const new_user = {
    name: fieldOf('new_name'),
    email: fieldOf('new_email'),
    temporary: fields.has('new_temporary'),
  };
  const approved = decision === 'approve';
  const isNew = approved && sub === '' && (fields.has('new_name') || fields.has('new_email'));
  const isKnown = approved ? sub !== '' || isNew : decision === 'deny' || error !== undefined;
  if (!isKnown) throw new OAuthError('form_incomplete');
  const isExtra = isNew || error !== undefined || (approved && claims !== '');
  if (isExtra && !hasExtras(service)) {
    const field = error !== undefined ? 'decision' : isNew ? 'new_name' : 'claims';
    const expected = 'is not accepted here: settings.sign_in_page.extras decides where';
    throw new OAuthError('form_field_invalid', { field, expected });
  }
  return {
    form: fieldOf(FORM_FIELD),
    approved,
    sub,
    scopes: fields.getAll('scope'),
    ...(error === undefined ? {} : { error }),
    ...(isNew ? { new_user } : {}),
    claims,
    credentials: credentialsIn(fields),
  };
}

/** Returns the last segment of the path, because the endpoint may have the path of an imitated provider. */
function lastSegment(target: string): string {
  const [path = ''] = target.split('?', 1);
  return path.slice(path.lastIndexOf('/') + 1);
}

async function ask(
  pending: PendingExchange,
  question: Question,
  cookies: Cookies,
  service: TokenService,
): Promise<Answer> {
  const { consentPage } = await import('../pages/consent.ts');
  const { refusal } = question;
  return page({
    service,
    make: (nonce, look) =>
      consentPage({
        ...question,
        form_field: FORM_FIELD,
        action: lastSegment(pending.target),
        extras: hasExtras(service),
        exchange: pending.number,
        nonce,
        look,
      }),
    headers: cookies.keepBrowser(),
    ...failureOf(refusal),
  });
}

type Answered = Extract<AuthorizationOutcome, { kind: 'answer' }>;

/** The response in the response_mode that the request named. */
async function respondWith(
  parameters: SentParameters,
  pending: PendingExchange,
  { target, session, refusal }: Answered,
  cookies: Cookies,
  service: TokenService,
): Promise<Answer> {
  const error = refusal?.code ?? null;
  const headers = session === null ? [] : cookies.keepSession(session.id);
  const { redirect_uri, response_mode } = target;
  const scripted = { service, scripted: true, error, headers };
  switch (response_mode) {
    case 'query':
      return redirect(pending, uriWith(redirect_uri, parameters), error, headers);
    case 'fragment':
      return redirect(pending, uriWithFragment(redirect_uri, parameters), error, headers);
    case 'form_post': {
      const { formPostPage } = await import('../pages/authorization-response.ts');
      const make = (nonce: string) => formPostPage({ redirect_uri, parameters, nonce });
      return page({ ...scripted, make });
    }
    case 'web_message':
    case 'okta_post_message': {
      const { postMessagePage } = await import('../pages/authorization-response.ts');
      // Core has checked that the URI has an origin and that a policy can name it.
      const { origin } = new URL(redirect_uri);
      const make = (nonce: string) => postMessagePage({ response_mode, origin, parameters, nonce });
      return page({ ...scripted, make, framed_by: origin });
    }
  }
}

async function answer(
  pending: PendingExchange,
  outcome: Answered,
  cookies: Cookies,
  service: TokenService,
): Promise<Answer> {
  const { signed } = outcome.target;
  const send = async (plain: SentParameters) => {
    const sent = signed === null ? plain : await signedParameters(plain, signed, service);
    return respondWith(sent, pending, outcome, cookies, service);
  };
  const parameters = Object.entries(outcome.parameters);
  return { ...(await send(parameters)), authorization: { parameters, send } };
}

async function evaluate(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  cookies: Cookies,
  service: TokenService,
): Promise<AuthorizationOutcome> {
  const evaluation = evaluationOf(pending);
  const { userAuthorization } = service;
  const fields = readFields(pending, headers, query, evaluation);
  if (pending.method !== 'POST' || !fields.has(FORM_FIELD)) {
    const misplaced = pending.method === 'POST' && queryNames(query).includes('client_id');
    const request = { ...asRequest(fields), misplaced };
    return userAuthorization.evaluate(request, cookies.visitor, evaluation);
  }
  pass(evaluation, 'body');
  return userAuthorization.decide(readDecision(fields, service), cookies.visitor, evaluation);
}

export const authorize: EndpointHandler = async (pending, headers, query, service) => {
  const cookies = readCookies(headers, service);
  try {
    const outcome = await evaluate(pending, headers, query, cookies, service);
    return outcome.kind === 'question'
      ? await ask(pending, outcome.question, cookies, service)
      : await answer(pending, outcome, cookies, service);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return refusePage(pending, error, service);
  }
};
