// GET and POST /authorize (behaviour 7): an authorization request, or the form by which a person decided
// about one. Core decides; this shows, redirects, and keeps the cookies.

import type { IncomingHttpHeaders } from 'node:http';
import { uriWith } from '../../core/authorization/response.ts';
import type { AuthorizationOutcome, Question } from '../../core/authorization/consent.ts';
import { OAuthError } from '../../core/checks/errors.ts';
import type { TokenService } from '../../core/service.ts';
import { pass } from '../../core/checks/trace.ts';
import type { Decision } from '../../core/authorization/endpoints.ts';
import type { Arrival } from '../arrival.ts';
import { judgementOf } from '../arrival.ts';
import { asRequest, readFields } from '../browser-request.ts';
import type { Cookies } from '../cookies.ts';
import { readCookies } from '../cookies.ts';
import { page, redirect, refusePage } from '../html.ts';
import type { Answer } from '../reply.ts';

/** The field that tells a sent form from a request of an app. */
const FORM_FIELD = 'grantbench_form';

/** @throws OAuthError when the form does not say what was decided */
function readDecision(fields: URLSearchParams): Decision {
  const [form = '', decision, sub = ''] = [FORM_FIELD, 'decision', 'sub'].map(
    (name) => fields.get(name) ?? undefined,
  );
  const approved = decision === 'approve';
  if ((!approved && decision !== 'deny') || (approved && sub === '')) {
    throw new OAuthError('form_incomplete');
  }
  return { form, approved, sub, scopes: fields.getAll('scope') };
}

async function ask(
  arrival: Arrival,
  question: Question,
  cookies: Cookies,
  service: TokenService,
): Promise<Answer> {
  const { consentPage } = await import('../pages/consent.ts');
  return page({
    service,
    make: (nonce) =>
      consentPage({ ...question, form_field: FORM_FIELD, exchange: arrival.number, nonce }),
    headers: cookies.keepBrowser(),
  });
}

async function answer(
  arrival: Arrival,
  outcome: Extract<AuthorizationOutcome, { kind: 'answer' }>,
  cookies: Cookies,
  service: TokenService,
): Promise<Answer> {
  const { target, parameters, session, refusal } = outcome;
  const error = refusal?.code ?? null;
  const headers = session === null ? [] : cookies.keepSession(session.id);
  if (target.response_mode === 'query') {
    return redirect(arrival, uriWith(target.redirect_uri, parameters), error, headers);
  }
  const { formPostPage } = await import('../pages/form-post.ts');
  const { redirect_uri } = target;
  const make = (nonce: string) => formPostPage({ redirect_uri, parameters, nonce });
  return page({ service, make, scripted: true, error, headers });
}

async function judge(
  arrival: Arrival,
  headers: IncomingHttpHeaders,
  query: string,
  cookies: Cookies,
  service: TokenService,
): Promise<AuthorizationOutcome> {
  const judgement = judgementOf(arrival);
  const { userAuthorization } = service;
  const fields = readFields(arrival, headers, query, judgement);
  if (arrival.method !== 'POST' || !fields.has(FORM_FIELD)) {
    return userAuthorization.judge(asRequest(fields), cookies.visitor, judgement);
  }
  pass(judgement, 'body');
  return userAuthorization.decide(readDecision(fields), cookies.visitor, judgement);
}

/** Answers one request. A fault of ours is thrown on. */
export async function authorize(
  arrival: Arrival,
  headers: IncomingHttpHeaders,
  query: string,
  service: TokenService,
): Promise<Answer> {
  const cookies = readCookies(headers, service);
  try {
    const outcome = await judge(arrival, headers, query, cookies, service);
    return outcome.kind === 'question'
      ? await ask(arrival, outcome.question, cookies, service)
      : await answer(arrival, outcome, cookies, service);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return refusePage(arrival, error, service);
  }
}
