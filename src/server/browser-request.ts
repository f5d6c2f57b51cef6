// What a browser brings to the authorization and logout endpoints: parameters in the query of a GET or
// in a posted form, with what came more than once still to be seen.

import type { IncomingHttpHeaders } from 'node:http';
import type { AuthorizationRequest } from '../core/authorization/request.ts';
import { OAuthError } from '../core/checks/errors.ts';
import { MEDIA_TYPES } from '../core/model/request.ts';
import type { Evaluation } from '../core/checks/trace.ts';
import { pass } from '../core/checks/trace.ts';
import type { PendingExchange } from './pending-exchange.ts';
import { decodeUtf8, hasValidEscapes, readContentType } from './body.ts';

function parse(text: string): URLSearchParams {
  if (text.includes('%') && !hasValidEscapes(text)) throw new OAuthError('parameters_not_utf8');
  return new URLSearchParams(text);
}

const NO_FORM: readonly string[] = ['content_type_missing', 'content_type_unreadable'];

/** What the token endpoint also takes is refused in words of its own. */
function contentType(headers: IncomingHttpHeaders): string {
  try {
    return readContentType(headers);
  } catch (error) {
    if (!(error instanceof OAuthError) || !NO_FORM.includes(error.reason)) throw error;
    return error.facts.got ?? 'no content type';
  }
}

function checkIsForm(headers: IncomingHttpHeaders, evaluation: Evaluation): void {
  const got = contentType(headers);
  if (got !== 'form') {
    const expected = MEDIA_TYPES.form;
    throw new OAuthError('content_type_not_form', {
      expected,
      got: got === 'json' ? MEDIA_TYPES.json : got,
    });
  }
  evaluation.content_type = 'form';
  pass(evaluation, 'content_type');
}

/**
 * Everything that came, in its order.
 * @throws OAuthError when it is no form, or not UTF-8
 */
export function readFields(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  evaluation: Evaluation,
): URLSearchParams {
  pass(evaluation, 'method', { got: pending.method });
  if (pending.method !== 'POST') return parse(query);
  checkIsForm(headers, evaluation);
  return parse(decodeUtf8(pending.request_body));
}

/** The same in the protocol's terms. */
export function asRequest(fields: URLSearchParams): AuthorizationRequest {
  const parameters = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of fields) {
    if (parameters.has(name)) repeated.add(name);
    else parameters.set(name, value);
  }
  return { parameters, repeated };
}
