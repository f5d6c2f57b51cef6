// Step 2 as an app and a browser take it: the authorization request over real HTTP, the sign-in page if
// there is one, and the code out of the redirect (RFC 6749 4.1.1, 4.1.2).

import type { Exchange } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { redirectAnswerOf } from '../../exchange/answer.ts';
import { NOBODY, type Choice } from './choice.ts';
import type { HeldCode } from './flow-state.ts';
import type { PkcePair } from '../../../oauth/pkce.ts';
import {
  authorizeFields,
  authorizeRequest,
  pushedFields,
  pushRequest,
} from '../../../oauth/endpoint-requests.ts';
import type { Fields, HttpRequest } from '../../../oauth/fields.ts';
import { credentialsOf } from '../../../oauth/client-authentication.ts';
import { walkThumbprint } from './proofs.ts';
import { requestUriOf } from '../../recording/asked-parameters.ts';
import { approval, signInFormOf } from '../../../scenario/sign-in-form.ts';

const STATE_BYTES = 12;

export interface Authorization {
  /** The answer that ended it. */
  readonly exchange: Exchange;
  /** null when it was refused. */
  readonly code: HeldCode | null;
}

export function newState(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(STATE_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** When the code expires, and for whom it is: the redirect does not say. */
async function recordOf({ issued }: Exchange) {
  const id = issued.find(({ kind }) => kind === 'code')?.id ?? null;
  if (id === null) throw new Error('The code of the redirect was not issued by this request.');
  return control.tokens.get({ id });
}

export async function heldCode(
  exchange: Exchange,
  code: string,
  { client, redirect_uri, dpop, profile }: Choice,
  pkce: PkcePair | null,
): Promise<HeldCode> {
  const { sub, audience, expires_at } = await recordOf(exchange);
  return {
    code,
    client_id: client?.client_id ?? '',
    redirect_uri,
    audience,
    sub,
    expires_at,
    verifier: pkce?.verifier ?? null,
    bound: dpop && profile === 'interop',
    spent: false,
  };
}

/** The key that the code is to be bound to; a push has a proof of it instead (RFC 9449 10.1). */
export const boundTo = async ({ dpop, push }: Choice): Promise<Fields> =>
  dpop && !push ? [['dpop_jkt', await walkThumbprint()]] : [];

type Send = (request: HttpRequest) => Promise<Exchange>;

export type Brought =
  { readonly fields: Fields; readonly request_uri: string | null } | { readonly refused: Exchange };

/** What the browser brings to /authorize: the fields, or, once these are pushed, their name (RFC 9126 4). */
export async function brought(choice: Choice, fields: Fields, send: Send): Promise<Brought> {
  const { client, push } = choice;
  if (!push) return { fields, request_uri: null };
  const pushed = await send(
    pushRequest(fields, client === null ? NOBODY : credentialsOf(client, null)),
  );
  const request_uri = requestUriOf(pushed);
  if (request_uri === null) return { refused: pushed };
  return { fields: pushedFields(choice.authorize.client_id, request_uri), request_uri };
}

/**
 * Asks for a code and signs in as the user chosen.
 * @param send draws the exchange
 */
export async function authorizeInBrowser(
  choice: Choice,
  pkce: PkcePair | null,
  send: Send,
): Promise<Authorization> {
  const state = newState();
  const challenge = pkce?.challenge ?? null;
  const fields = [
    ...authorizeFields({ ...choice.authorize, state, challenge }),
    ...(await boundTo(choice)),
  ];
  const sent = await brought(choice, fields, send);
  if ('refused' in sent) return { exchange: sent.refused, code: null };
  let exchange = await send(authorizeRequest(sent.fields));
  const form = signInFormOf(exchange);
  if (form !== null) exchange = await send(approval(form, choice.user?.sub ?? ''));
  const code = redirectAnswerOf(exchange)?.get('code') ?? null;
  if (code === null) return { exchange, code: null };
  return { exchange, code: await heldCode(exchange, code, choice, pkce) };
}
