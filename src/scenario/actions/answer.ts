// The response to a step, with the members that a scenario can expect and save.

import { decodeJwt } from '../../oauth/jwt.ts';
import { formPostParameters, redirectParameters } from '../../oauth/fields.ts';
import { type JsonObject, jsonOrText, membersOf } from '../../json.ts';
import type { Exchange } from '../../control/schemas.ts';
import { decodeBase64url } from '../../oauth/base64.ts';
import type { HttpAnswer } from '../runner/scenario-sandbox.ts';

export interface Answer {
  readonly status: number | undefined;
  readonly body: unknown;
  /** Names in lower case; a repeated header is joined into one text. */
  readonly headers: Readonly<Record<string, string>>;
  readonly redirect: Readonly<Record<string, string>> | undefined;
  /** The claims of the access token; undefined if it is not a JWT. */
  readonly claims: unknown;
  readonly retry_after: number | undefined;
  readonly error: string | null;
  readonly failed_check: string | null;
  readonly cause: string | null;
  readonly reason: string | null;
  readonly deviations: readonly string[];
  readonly advisories: readonly string[];
  /** The number of responses with each HTTP status, for a step that is repeated at a rate. */
  readonly statuses?: Readonly<Record<string, number>>;
  /** The exchange with secrets redacted; null if none was recorded. */
  readonly exchange: Exchange | null;
}

const textOr = <T>(value: unknown, other: T) => (typeof value === 'string' ? value : other);

function claimsOf(body: unknown): unknown {
  const token = textOr(membersOf(body)['access_token'], '');
  const [, claims = ''] = token.split('.');
  const { bytes } = decodeBase64url(claims);
  return claims === '' || bytes === null ? undefined : jsonOrText(new TextDecoder().decode(bytes));
}

/**
 * The parameters that a redirect, or a form that the browser posts, takes to the app. Those of a signed response are in
 * its JWT, which is not verified (JARM 2.1).
 */
export function redirectOf(location: string | null, page: string): Answer['redirect'] {
  const parameters = location === null ? formPostParameters(page) : redirectParameters(location);
  if (parameters === null) return undefined;
  const signed = decodeJwt(parameters.get('response') ?? '')?.payload ?? {};
  const texts = Object.entries(signed).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries([...parameters, ...(texts as [string, string][])]);
}

function headersOf({ headers }: HttpAnswer): Record<string, string> {
  const texts = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  return Object.fromEntries(texts) as Record<string, string>;
}

export function answerOf(received: HttpAnswer, exchange: Exchange | null): Answer {
  const headers = headersOf(received);
  const body = received.text === '' ? undefined : jsonOrText(received.text);
  const redirect = redirectOf(headers['location'] ?? null, received.text);
  const wait = headers['retry-after'];
  const error = membersOf(body)['error'] ?? redirect?.['error'];
  return {
    status: received.status,
    body,
    headers,
    redirect,
    claims: claimsOf(body),
    retry_after: wait === undefined ? undefined : Number(wait),
    error: textOr(error, exchange?.error ?? null),
    failed_check: exchange?.why?.check ?? null,
    cause: exchange?.cause ?? null,
    reason: exchange?.why?.reason ?? null,
    deviations: exchange?.deviation_notes.map(({ id }) => id) ?? [],
    advisories: exchange?.advisory_notes.map(({ kind }) => kind) ?? [],
    exchange,
  };
}

/** The response of a control operation has only a body. */
export const answerOfControl = (body: JsonObject): Answer => ({
  status: undefined,
  body,
  headers: {},
  redirect: undefined,
  claims: claimsOf(body),
  retry_after: undefined,
  error: null,
  failed_check: null,
  cause: null,
  reason: null,
  deviations: [],
  advisories: [],
  exchange: null,
});
