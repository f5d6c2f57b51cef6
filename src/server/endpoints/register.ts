// POST /register (RFC 7591): core decides; this file reads the metadata and sends the challenge if the token is
// rejected (RFC 6750 3). It loads the schemas, so it is imported when a client first registers.

import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject } from '../../json.ts';
import { OAuthError } from '../../core/checks/errors.ts';
import { parseJsonText } from '../../core/records/json-text.ts';
import { registerClient, type RegistrationRequest } from '../../core/registry/registration.ts';
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
  type SaidError,
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

function readRegistration(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  evaluation: Evaluation,
): RegistrationRequest {
  pass(evaluation, 'method');
  const content_type = readContentType(headers);
  evaluation.content_type = content_type;
  if (content_type !== 'json') throw new OAuthError('registration_content_type');
  pass(evaluation, 'content_type');
  const metadata = parseMetadata(pending.request_body);
  pass(evaluation, 'body');
  return { metadata, authorization: headers.authorization ?? null };
}

/** Returns the challenge, without an error if no token was presented (RFC 6750 3.1). */
function challenge({ reason, code }: OAuthError, said: SaidError): HeaderList {
  if (code !== 'invalid_token') return [];
  const error = reason === 'initial_token_missing' ? '' : `, ${errorAttributes(said)}`;
  return ['WWW-Authenticate', `Bearer realm="grantbench"${error}`];
}

/** Handles one registration. Internal errors are rethrown. */
export function register(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  service: TokenService,
): Answer {
  const evaluation = evaluationOf(pending);
  try {
    const request = readRegistration(pending, headers, evaluation);
    const registered = registerClient(service, request, evaluation);
    return { ...json(registered, NO_STORE), status: 201 };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return reject(pending, error, service, [], (said) => challenge(error, said));
  }
}
