// Returns a captured exchange for control: with texts, and without secrets unless requested.

import { isUtf8 } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import type { Deviation, Exchange } from '../../control/schemas.ts';
import { credentialId } from '../../core/model/credentials.ts';
import type { OAuthError } from '../../core/checks/errors.ts';
import { describeCause } from '../../core/checks/describe-cause.ts';
import {
  type CheckWords,
  describeAdvisory,
  describeChecks,
} from '../../core/checks/describe-checks.ts';
import type { TokenService } from '../../core/service.ts';
import type { DeviationRecord, Evaluation } from '../../core/checks/trace.ts';
import type { Redactor } from '../../redact/redactor.ts';
import type { CapturedExchange } from '../../server/capture.ts';
import { answerAt } from '../../server/refusals.ts';
import { headerPairs } from '../../server/sender.ts';
import { describeDeviation } from '../../core/checks/deviations.ts';
import type { ExchangeRedactor } from './exchange-redactor.ts';
import { exchangeSummary, rulesFor } from './summary.ts';
import { offsetSeconds, timeText } from '../format.ts';

/** Marks a request of Grantbench while responses have no exchange number; never shown. */
export const REQUEST_MARK = 'grantbench-request';

type Headers = Exchange['request']['headers'];

const headersView = (flat: readonly string[], redactor: Redactor): Headers =>
  headerPairs(flat)
    .filter(([name]) => name.toLowerCase() !== REQUEST_MARK)
    .map(([name, value]) => [redactor.headerName(name), redactor.headerValue(name, value)]);

function requestBody({ request_body: bytes }: CapturedExchange, redactor: Redactor) {
  const readable = isUtf8(bytes);
  const text = bytes.subarray(0, MAX_READ).toString(readable ? 'utf8' : 'latin1');
  const shown = shownBody(text, bytes.length <= MAX_READ, redactor.requestBody);
  return readable
    ? { body: shown, body_encoding: 'utf8' as const }
    : {
        body: Buffer.from(shown, 'latin1').toString('base64'),
        body_encoding: 'base64' as const,
      };
}

/** Returns the lineage of the presented credential; an access token contains it. */
function presentedId({ credential, access_token: token }: Evaluation): string | null {
  if (credential !== null) return credentialId(credential);
  return token === null ? null : `${token.lineage}.${token.n}`;
}

function signInView(evaluation: Evaluation | null, { words }: Redactor): Exchange['sign_in'] {
  if (evaluation === null || evaluation.sign_in === null) return null;
  const { form, scopes, authentication, one_time_code } = evaluation.sign_in;
  const shown = { form: words(form), scopes: scopes.map((scope) => words(scope)) };
  return { ...shown, authentication, one_time_code };
}

/** @param at where the request was evaluated, which decides the dialect and shape of a response in strict */
function deviationView(
  record: DeviationRecord,
  at: Evaluation,
  method: string,
  service: TokenService,
  { words }: Redactor,
): Deviation {
  const { strict, text, ...rest } = describeDeviation(record);
  const redactedNote = { ...rest, text: words(text) };
  if (strict === null) return { ...redactedNote, strict_status: null, strict_error: null };
  const { status, error } = answerAt(strict, at, method, service);
  return { ...redactedNote, strict_status: status, strict_error: error };
}

function traceView(evaluation: Evaluation, rotation: boolean, { words }: Redactor): CheckWords[] {
  return describeChecks(evaluation, rotation).map((check) => {
    const shown = (text: string | null) => (text === null ? null : words(text, rulesFor(check.id)));
    const { expected, got, note } = check;
    return { ...check, expected: shown(expected), got: shown(got), note: shown(note) };
  });
}

function causeView(cause: OAuthError, client_id: string | null, { words }: Redactor) {
  const described = describeCause(cause, client_id);
  const shown = (text: string) => words(text, rulesFor(described.check));
  return {
    ...described,
    summary: shown(described.summary),
    detail: described.detail === null ? null : shown(described.detail),
    advice: described.advice === null ? null : shown(described.advice),
  };
}

export function exchangeView(
  exchange: CapturedExchange,
  service: TokenService,
  redactor: ExchangeRedactor,
): Exchange {
  const { evaluation } = exchange;
  const cause = evaluation?.refusal ?? evaluation?.finding;
  const rotation = service.settings().refresh_rotation.enabled;
  const { response_body } = exchange;
  return {
    ...exchangeSummary(exchange, redactor),
    request: {
      http_version: exchange.http_version,
      headers: headersView(exchange.request_headers, redactor),
      ...requestBody(exchange, redactor),
      body_bytes: exchange.request_bytes,
    },
    response: {
      reason: STATUS_CODES[exchange.status] ?? '',
      headers: headersView(exchange.response_headers, redactor),
      body: shownBody(response_body, true, redactor.responseBody),
      body_encoding: 'utf8',
      body_bytes: Buffer.byteLength(response_body),
    },
    trace: evaluation === null ? [] : traceView(evaluation, rotation, redactor),
    why: cause ? causeView(cause, evaluation?.client_id ?? null, redactor) : null,
    deviation_notes:
      evaluation?.deviations.map((record) =>
        deviationView(record, evaluation, exchange.method, service, redactor),
      ) ?? [],
    advisory_notes: evaluation?.advisories.map(describeAdvisory) ?? [],
    credential_id: evaluation === null ? null : presentedId(evaluation),
    issued: [...(evaluation?.issued ?? [])],
    sign_in: signInView(evaluation, redactor),
    profile: evaluation?.profile ?? null,
    clock: {
      now: timeText(exchange.at),
      frozen: exchange.clock_frozen,
      offset_seconds: offsetSeconds(exchange.clock_offset),
    },
  };
}

/** Maximum number of shown UTF-16 units; more than a body can have unless settings.max_body_bytes is raised. */
export const MAX_SHOWN = 131_072;
/**
 * Additional units that are searched but not shown, because a truncated secret would not be recognized. Longer than
 * any credential.
 */
const MARGIN = 16_384;

/** Maximum bytes or UTF-16 units of a body to pass to `shownBody`. */
const MAX_READ = MAX_SHOWN + MARGIN;

const endsInsidePair = (text: string): boolean => /[\ud800-\udbff]$/.test(text.slice(-1));

/** @param whole whether the text is the complete body */
function shownBody(text: string, whole: boolean, redact: (text: string) => string): string {
  if (whole && text.length <= MAX_READ) return redact(text);
  const shown = redact(text.slice(0, MAX_READ)).slice(0, -MARGIN);
  return endsInsidePair(shown) ? shown.slice(0, -1) : shown;
}
