// GET and POST /device (RFC 8628 3.3): the page where a user enters the code of a device, and the form with which the
// user approves or denies it. Core decides; this file shows pages and sets cookies.

import { OAuthError } from '../../core/checks/errors.ts';
import { fail, pass } from '../../core/checks/trace.ts';
import type {
  DeviceFormDecision,
  DeviceQuestion,
} from '../../core/device-authorization/verification.ts';
import type { TokenService } from '../../core/service.ts';
import {
  chosenSub,
  type Cookies,
  credentialsIn,
  FORM_FIELD,
  readFields,
  readCookies,
} from '../browser-request.ts';
import { failureOf, page } from '../html.ts';
import { evaluationOf, type PendingExchange } from '../pending-exchange.ts';
import type { Answer, HeaderList } from '../reply.ts';
import type { EndpointHandler } from '../route.ts';

/** A request at the page and its response. */
interface Visit {
  readonly pending: PendingExchange;
  readonly service: TokenService;
  readonly cookies: Cookies;
}

/** @throws OAuthError if the form contains no decision */
function readDecision(fields: URLSearchParams): DeviceFormDecision {
  const [form = '', user_code = '', decision] = [FORM_FIELD, 'user_code', 'decision'].map(
    (name) => fields.get(name) ?? undefined,
  );
  const sub = chosenSub(fields);
  const approved = decision === 'approve';
  if ((!approved && decision !== 'deny') || (approved && sub === '')) {
    throw new OAuthError('form_incomplete');
  }
  const credentials = credentialsIn(fields);
  return { form, user_code, approved, sub, scopes: fields.getAll('scope'), credentials };
}

/** Longer than any code with hyphens, shorter than any secret. */
const LONGEST_FILLED_IN = 15;

/**
 * Returns the code to fill in again; empty for a text that cannot be a code, so that a secret in the wrong field is
 * not shown.
 */
function typedCode(fields: URLSearchParams): string {
  const typed = fields.get('user_code') ?? '';
  return typed.length > LONGEST_FILLED_IN ? '' : typed;
}

/** The page that asks for the code, with the problem of the previous code. */
async function askForCode(
  { pending, service }: Visit,
  user_code: string,
  refusal: OAuthError | null,
): Promise<Answer> {
  const { deviceCodePage } = await import('../pages/device.ts');
  const seconds = refusal?.reason === 'user_code_guessed' ? refusal.facts.seconds : undefined;
  const headers: HeaderList = seconds === undefined ? [] : ['Retry-After', String(seconds)];
  return page({
    service,
    make: (nonce, look) =>
      deviceCodePage({ user_code, refusal, exchange: pending.number, nonce, look }),
    headers,
    ...failureOf(refusal),
  });
}

async function askForDecision(
  { pending, service, cookies }: Visit,
  question: DeviceQuestion,
): Promise<Answer> {
  const { deviceConsentPage } = await import('../pages/device.ts');
  const facts = { ...question, form_field: FORM_FIELD, exchange: pending.number };
  return page({
    service,
    make: (nonce, look) => deviceConsentPage({ ...facts, nonce, look }),
    headers: cookies.keepBrowser(),
  });
}

async function decide({ pending, service, cookies }: Visit, fields: URLSearchParams) {
  const { deviceVerification } = service;
  const evaluation = evaluationOf(pending);
  const decision = readDecision(fields);
  const { approved, client, session } = deviceVerification.decide(
    decision,
    cookies.visitor,
    pending.ip,
    evaluation,
  );
  const { deviceDonePage } = await import('../pages/device.ts');
  return page({
    service,
    make: (nonce, look) =>
      deviceDonePage({ approved, client, exchange: pending.number, nonce, look }),
    headers: session === null ? [] : cookies.keepSession(session.id),
  });
}

function answer(visit: Visit, fields: URLSearchParams): Promise<Answer> {
  const { pending, service, cookies } = visit;
  const evaluation = evaluationOf(pending);
  pass(evaluation, 'body');
  // A code in the link is filled in but not looked up, because the user must confirm it (RFC 8628 3.3.1).
  if (pending.method !== 'POST') return askForCode(visit, typedCode(fields), null);
  // Only a decision has this field, not an entered code.
  if (fields.has(FORM_FIELD)) return decide(visit, fields);
  const typed = fields.get('user_code') ?? '';
  const question = service.deviceVerification.ask(typed, cookies.visitor, pending.ip, evaluation);
  return askForDecision(visit, question);
}

export const device: EndpointHandler = async (pending, headers, query, service) => {
  const visit = { pending, service, cookies: readCookies(headers, service) };
  const evaluation = evaluationOf(pending);
  let fields = new URLSearchParams();
  try {
    fields = readFields(pending, headers, query, evaluation);
    return await answer(visit, fields);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    fail(evaluation, error);
    return askForCode(visit, typedCode(fields), error);
  }
};
