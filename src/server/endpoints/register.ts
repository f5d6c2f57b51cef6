// POST /register (RFC 7591), and GET, PUT and DELETE of a registration (RFC 7592): core decides; this file reads the
// metadata and sends the challenge if the token is rejected (RFC 6750 3). It loads the schemas, so it is imported when a client first registers.

import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject } from '../../json.ts';
import { OAuthError } from '../../core/checks/errors.ts';
import { parseJsonText } from '../../core/records/json-text.ts';
import { manageClient, registerClient } from '../../core/registry/registration.ts';
import type { TokenService } from '../../core/service.ts';
import { type Evaluation, pass } from '../../core/checks/trace.ts';
import { evaluationOf, type PendingExchange } from '../pending-exchange.ts';
import { decodeUtf8, readContentType } from '../body.ts';
import {
  type Answer,
  errorAttributes,
  type HeaderList,
  json,
  NO_STORE,
  reject,
  type ErrorTexts,
} from '../reply.ts';

/** Parses a JSON object without repeated members. @throws OAuthError `invalid_request` */
function parseMetadata(body: Buffer): Record<string, unknown> {
  if (body.length === 0) throw new OAuthError('body_missing');
  const parsed = parseJsonText(decodeUtf8(body));
  if ('problems' in parsed) {
    const repeated = parsed.problems.some(({ message }) => message.includes('more than once'));
    throw new OAuthError(repeated ? 'parameter_repeated' : 'json_malformed');
  }
  const { value } = parsed;
  if (!isJsonObject(value)) throw new OAuthError('json_not_object');
  return { ...value };
}

function readMetadata(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  evaluation: Evaluation,
): Record<string, unknown> {
  const content_type = readContentType(headers);
  evaluation.content_type = content_type;
  if (content_type !== 'json') throw new OAuthError('registration_content_type');
  pass(evaluation, 'content_type');
  const metadata = parseMetadata(pending.request_body);
  pass(evaluation, 'body');
  return metadata;
}

/** Returns the challenge, without an error if no token was presented (RFC 6750 3.1). */
function challenge({ reason, code }: OAuthError, texts: ErrorTexts): HeaderList {
  if (code !== 'invalid_token') return [];
  const isMissing = reason === 'initial_token_missing' || reason === 'registration_token_missing';
  const error = isMissing ? '' : `, ${errorAttributes(texts)}`;
  return ['WWW-Authenticate', `Bearer realm="grantbench"${error}`];
}

type Evaluate = (authorization: string | null, evaluation: Evaluation) => Answer;

/** Internal errors are rethrown. */
function answer(
  pending: PendingExchange,
  { authorization = null }: { readonly authorization?: string | null | undefined },
  service: TokenService,
  evaluate: Evaluate,
): Answer {
  const evaluation = evaluationOf(pending);
  try {
    pass(evaluation, 'method', { got: pending.method });
    return evaluate(authorization, evaluation);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return reject(pending, error, service, [], (texts) => challenge(error, texts));
  }
}

/** Handles one registration. */
export const register = (
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  service: TokenService,
): Answer =>
  answer(pending, headers, service, (authorization, evaluation) => {
    const metadata = readMetadata(pending, headers, evaluation);
    const registered = registerClient(service, { metadata, authorization }, evaluation);
    return { ...json(registered, NO_STORE), status: 201 };
  });

/** The client_id in a path; a text that is no client_id if it cannot be decoded. */
function clientIdIn(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

/** Handles one request of a client about its own registration. @param segment the client_id as in the path */
export const manageRegistration = (
  segment: string,
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  service: TokenService,
): Answer =>
  answer(pending, headers, service, (authorization, evaluation) => {
    const replace = () => ({ replace: readMetadata(pending, headers, evaluation) });
    const action =
      pending.method === 'PUT' ? replace() : pending.method === 'DELETE' ? 'delete' : 'read';
    const order = { client_id: clientIdIn(segment), authorization, action } as const;
    const registered = manageClient(service, order, evaluation);
    if (registered !== null) return json(registered, NO_STORE);
    return { status: 204, headers: NO_STORE, body: '', error: null };
  });
