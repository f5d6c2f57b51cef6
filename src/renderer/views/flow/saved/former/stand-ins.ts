// What a flow was saved without: codes, tokens, secrets and answers. Made up here, so that its requests can
// be written as they were sent; the recorder puts variables in their place.

import type { Exchange } from '../../../../../control/schemas.ts';
import { clientSchema } from '../../../../../control/schemas.ts';
import type { Client } from '../../../../../control/schemas.ts';
import type { HttpRequest } from '../../../../../oauth/fields.ts';
import type { PkcePair } from '../../../../../oauth/pkce.ts';
import type { FormerEntry, FormerFlow } from './former-flow.ts';

const AT = '2000-01-01T00:00:00.000Z';
const secretOf = (client_id: string) => `stand-in-for-the-secret-of-${client_id}`;

/** Of RFC 7636 appendix B. */
export const STAND_IN_PKCE: PkcePair = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: {
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  },
};

export const withoutItsSecret = (client: Client): Client => ({
  ...client,
  client_secret: client.client_secret === null ? null : secretOf(client.client_id),
});

/** The client that a flow was saved with; one with a secret when it is not registered here. */
export function clientOf({ inputs }: FormerFlow, clients: readonly Client[]): Client {
  const client_id = inputs.client_id ?? clients.at(-1)?.client_id ?? 'demo-app';
  const known = clients.find((client) => client.client_id === client_id);
  if (known !== undefined) return withoutItsSecret(known);
  const redirect_uris = [inputs.redirect_uri ?? 'http://localhost:3000/callback'];
  return clientSchema.parse({ client_id, client_secret: secretOf(client_id), redirect_uris });
}

/** A name for each, as long as a real one. */
export const standIn = (kind: string, count: number): string =>
  `${kind}-${count}-`.padEnd(43, 'stand-in-');

const base64url = (text: string) =>
  btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** Reads as a JWT: some mistakes change a part of it. */
export const standInToken = (client_id: string, count: number): string =>
  [{ typ: 'at+jwt', alg: 'none' }, { jti: `stand-in.${count}`, client_id }, 'stand-in-signature']
    .map((part) => base64url(JSON.stringify(part)))
    .join('.');

type Part = Exchange['request'];

const partOf = (headers: Part['headers'], body: string): Part => ({
  http_version: '1.1',
  headers,
  body,
  body_encoding: 'utf8',
  body_bytes: new TextEncoder().encode(body).length,
});

export interface StandInAnswer {
  readonly came: NonNullable<FormerEntry['came']>;
  readonly headers?: Part['headers'];
  readonly body?: string;
}

/** An exchange of which only the request, the status and the error are known. */
export function standInExchange(
  number: number,
  client_id: string,
  { method, path, headers, body = '' }: HttpRequest,
  { came, headers: answered = [], body: text = '' }: StandInAnswer,
): Exchange {
  return {
    number,
    at: AT,
    method,
    path,
    ip: '127.0.0.1',
    sent_by: 'workbench',
    grant_type: null,
    client_id,
    status: came.status,
    error: came.error,
    cause: null,
    duration_ms: 0,
    lineage_id: null,
    throttled: false,
    fault: null,
    deviations: 0,
    advisories: 0,
    request: partOf(Object.entries(headers), body),
    response: { ...partOf(answered, text), reason: '' },
    trace: [],
    why: null,
    deviation_notes: [],
    advisory_notes: [],
    credential_id: null,
    issued: [],
    sign_in: null,
    profile: null,
    clock: { now: AT, frozen: false, offset_seconds: 0 },
  };
}
