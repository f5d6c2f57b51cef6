// What a captured exchange takes in memory: all that it keeps alive, counted as if nothing else did. A
// credential may have left the stores, a counter and a rule may be gone, and the exchange still shows them.

import { lineageBytes } from '../core/model/credentials.ts';
import type { OAuthError } from '../core/checks/errors.ts';
import type { Fault } from '../core/records/schemas.ts';
import type { Evaluation } from '../core/checks/trace.ts';
import { jsonBytes, textBytes } from '../core/collections/weight.ts';
import type { CapturedExchange } from './captured-exchange.ts';

/** The record itself, its arrays, its buffer, and its places in the capture; measured, and rounded up. */
const EXCHANGE_BYTES = 700;
const EVALUATION_BYTES = 300;
const CHECK_BYTES = 48;
/** With its id, and its place in the list. */
const ISSUED_BYTES = 112;
/** A refusal knows where in the code it was made. */
const REFUSAL_BYTES = 1500;
const DECISION_BYTES = 420;
/** A header's text, and its place in the list. */
const HEADER_BYTES = 32;

/** Of texts that HTTP lets be one byte a character only. */
function headerBytes(headers: readonly string[]): number {
  let bytes = HEADER_BYTES * headers.length;
  for (const text of headers) bytes += text.length;
  return bytes;
}

function membersBytes(members: object): number {
  let bytes = CHECK_BYTES;
  for (const member of Object.values(members) as unknown[]) {
    if (typeof member === 'string') bytes += textBytes(member);
  }
  return bytes;
}

const refusalBytes = (refusal: OAuthError | null) =>
  refusal === null ? 0 : REFUSAL_BYTES + membersBytes(refusal.facts);

function evaluationBytes(evaluation: Evaluation): number {
  const { checks, deviations, advisories, throttle, credential, lineage } = evaluation;
  const { issued, sign_in } = evaluation;
  let bytes = EVALUATION_BYTES + CHECK_BYTES * advisories.length;
  for (const check of checks) bytes += typeof check === 'string' ? 8 : membersBytes(check);
  for (const deviation of deviations) bytes += membersBytes(deviation);
  if (throttle !== null) bytes += DECISION_BYTES;
  if (credential !== null) bytes += credential.bytes;
  else if (lineage !== null) bytes += lineageBytes(lineage);
  bytes += ISSUED_BYTES * issued.length;
  if (sign_in !== null) bytes += jsonBytes(sign_in);
  return bytes + refusalBytes(evaluation.refusal) + refusalBytes(evaluation.finding);
}

/** Each change of a rule makes another one. */
const faultBytes = new WeakMap<Fault, number>();

function bytesOfFault(fault: Fault): number {
  const known = faultBytes.get(fault) ?? jsonBytes(fault);
  faultBytes.set(fault, known);
  return known;
}

export function exchangeBytes(exchange: CapturedExchange): number {
  const { request_body, response_body, request_headers, response_headers, target } = exchange;
  // The target is kept as it is shown, too.
  let bytes = EXCHANGE_BYTES + request_body.length + textBytes(response_body) + 2 * target.length;
  bytes += headerBytes(request_headers) + headerBytes(response_headers);
  if (exchange.evaluation !== null) bytes += evaluationBytes(exchange.evaluation);
  if (exchange.fault !== null) bytes += bytesOfFault(exchange.fault);
  return bytes;
}
