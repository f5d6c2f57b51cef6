// The authorization response (RFC 6749 4.1.2, OAuth 2.0 Multiple Response Type Encoding Practices 2.1, OAuth 2.0 Form
// Post Response Mode, draft-sakimura-oauth-wmrm-01, JARM): its destination, its response mode and its parameters.

import { keptText } from '../collections/kept-text.ts';
import { OAuthError } from '../checks/errors.ts';
import type { RESPONSE_ALGS } from '../records/enumerations.ts';
import {
  type ResponseType,
  responseTypeNamed,
  responseTypeWords,
} from '../records/response-types.ts';
import type { Client } from '../records/schemas.ts';
import { secondsOf } from '../model/clock.ts';
import type { Domain } from '../model/domain.ts';
import { valueOf, type WithParameters } from '../model/request.ts';
import { type Evaluation, pass } from '../checks/trace.ts';

/** The destination of an authorization response: a redirect URI that the client registered. */
export interface ResponseTarget {
  readonly redirect_uri: string;
  readonly response_mode: ResponseMode;
  /** How the response is signed (JARM 2.3); null if it is not. */
  readonly signed: SignedResponse | null;
  /** The state of the request, which is returned unchanged; null without one. */
  readonly state: string | null;
}

interface SignedResponse {
  readonly client_id: string;
  readonly alg: (typeof RESPONSE_ALGS)[number];
}

/** Maximum lifetime of a signed response in seconds (JARM 2.1). */
const SIGNED_S = 600;

/** The parameters of the response in order, each name once. */
export type ResponseParameters = Readonly<Record<string, string>>;

/** The parameters as they are sent: a fault rule may send a name twice. */
export type SentParameters = readonly (readonly [name: string, value: string])[];

const encoded = (parameters: SentParameters): string =>
  new URLSearchParams(parameters.map(([...pair]) => pair)).toString();

/** Adds the state of the request, and the issuer against mix-up attacks (RFC 9207). */
export function responseParameters(
  parameters: ResponseParameters,
  state: string | null | undefined,
  iss: string,
): ResponseParameters {
  return { ...parameters, ...(state ? { state } : {}), iss };
}

/**
 * Returns the URI with these parameters added to its query (RFC 6749 3.1.2). The URI is sent in a header, which is
 * stored with its exchange.
 */
export function uriWith(uri: string, parameters: SentParameters): string {
  const joint = uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?';
  return keptText(`${uri}${joint}${encoded(parameters)}`);
}

/** The same with the parameters in the fragment, as a redirect URI has none itself (RFC 6749 3.1.2). */
export const uriWithFragment = (uri: string, parameters: SentParameters): string =>
  keptText(`${uri}#${encoded(parameters)}`);

/** Returns the response as its only parameter: a JWT with the same parameters (JARM 2.1). */
export async function signedParameters(
  parameters: SentParameters,
  { client_id, alg }: SignedResponse,
  { keyring, ports, issuer }: Pick<Domain, 'keyring' | 'ports' | 'issuer'>,
): Promise<SentParameters> {
  const exp = secondsOf(ports.clock) + SIGNED_S;
  const claims = { iss: issuer(), aud: client_id, exp, ...Object.fromEntries(parameters) };
  return [['response', await keyring.sign(claims, 'JWT', alg)]];
}

/** The modes that post the response to the embedding or opening window, never to the redirect URI itself. */
const MESSAGE_MODES = ['web_message', 'okta_post_message'] as const;
export type MessageMode = (typeof MESSAGE_MODES)[number];

const UNSIGNED_MODES = ['query', 'fragment', 'form_post', ...MESSAGE_MODES] as const;
type ResponseMode = (typeof UNSIGNED_MODES)[number];

/** The mode that each signed one is sent in; `jwt` is the default of the response type (JARM 2.3). */
const SIGNED_MODES: ReadonlyMap<string, ResponseMode | undefined> = new Map([
  ['query.jwt', 'query'],
  ['fragment.jwt', 'fragment'],
  ['form_post.jwt', 'form_post'],
  ['jwt', undefined],
]);

export const RESPONSE_MODES: readonly string[] = [...UNSIGNED_MODES, ...SIGNED_MODES.keys()];

/** Returns how a client's response is signed, which a refusal uses, too; null if the request asks for no signature. */
export function signatureOf(
  request: WithParameters,
  { client_id, authorization_signed_response_alg: alg = 'RS256' }: Client,
): SignedResponse | null {
  return SIGNED_MODES.has(valueOf(request, 'response_mode') ?? '') ? { client_id, alg } : null;
}

const isMessageMode = (mode: string): mode is MessageMode =>
  (MESSAGE_MODES as readonly string[]).includes(mode);

/** The origins that `frame-ancestors` can contain: no wildcard, no character that ends a directive, no IPv6 address. */
const NAMEABLE_ORIGIN = /^https?:\/\/[\w.-]+(?::\d{1,5})?$/;

/**
 * Returns the origin of a redirect URI, the only one that may receive the message; null if it has none that CSP can
 * contain.
 */
function messageOrigin(redirect_uri: string): string | null {
  const origin = URL.canParse(redirect_uri) ? new URL(redirect_uri).origin : 'null';
  return NAMEABLE_ORIGIN.test(origin) ? origin : null;
}

/** Returns the response type; undefined if it is missing or not supported. */
export const responseTypeOf = (request: WithParameters): ResponseType | undefined =>
  responseTypeNamed(valueOf(request, 'response_type'));

/** Whether the response has tokens, so that it must not be in the query (OAuth 2.0 Multiple Response Types 3.0, 5). */
const hasTokens = (request: WithParameters): boolean =>
  responseTypeWords(valueOf(request, 'response_type')).some(
    (word) => word === 'id_token' || word === 'token',
  );

const isSilent = (request: WithParameters) => valueOf(request, 'prompt') === 'none';

/**
 * Returns the requested mode, which a refusal uses, too; the default of the response type if a response cannot be sent
 * in the requested mode.
 */
export function responseModeOf(request: WithParameters, redirect_uri: string): ResponseMode {
  const mode_asked = valueOf(request, 'response_mode') ?? '';
  const asked = SIGNED_MODES.get(mode_asked) ?? mode_asked;
  const usual = hasTokens(request) ? 'fragment' : 'query';
  const mode = UNSIGNED_MODES.find((known) => known === asked && known !== 'query') ?? usual;
  const carries = !isMessageMode(mode) || (isSilent(request) && messageOrigin(redirect_uri));
  return carries ? mode : usual;
}

/** @throws OAuthError if the mode is unknown, or cannot be used for this request */
export function checkResponseMode(
  request: WithParameters,
  redirect_uri: string,
  evaluation: Evaluation,
): void {
  const mode = valueOf(request, 'response_mode') ?? responseModeOf(request, redirect_uri);
  if (!RESPONSE_MODES.includes(mode)) {
    const expected = RESPONSE_MODES.join(', ');
    throw new OAuthError('response_mode_unsupported', { expected, got: mode.slice(0, 100) });
  }
  const inQuery = mode === 'query' || mode === 'query.jwt';
  if (inQuery && responseTypeOf(request) !== undefined && hasTokens(request)) {
    throw new OAuthError('response_mode_query', { got: mode });
  }
  if (isMessageMode(mode)) {
    if (!isSilent(request)) throw new OAuthError('message_mode_not_silent', { got: mode });
    if (messageOrigin(redirect_uri) === null) {
      throw new OAuthError('message_mode_without_origin', { got: redirect_uri });
    }
  }
  pass(evaluation, 'response_mode', { got: mode });
}
