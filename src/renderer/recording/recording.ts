// What a scenario is made of: requests with their responses, what was done over control in place of a user, and what is
// registered.

import type { Fault } from '../../control/fault-schemas.ts';
import type { Audience, Client, Settings, Shape } from '../../control/schemas.ts';
import type { Exchange } from '../../control/schemas/exchanges.ts';
import type { IssueCode, MintTokens } from '../../control/schemas/credentials.ts';
import type { User } from '../../control/schemas/workspace.ts';
import { PUSH_PATH } from '../../oauth/token-request.ts';
import { parseJsonObject, type JsonObject } from '../../oauth/json-object.ts';
import { bodyText } from '../exchange/answer.ts';

export interface Recording {
  readonly name: string;
  readonly description?: string;
  /** Oldest first, with secrets. */
  readonly events: readonly RecordedEvent[];
  readonly sandbox: Sandbox;
  /**
   * Whether what is registered, with stand-ins for its secrets, is part of the scenario, which then needs no other
   * sandbox than one of its own. Otherwise it only names clients and users, for the sandbox in use.
   */
  readonly with_workspace: boolean;
  /** Whether these are all the requests of its clients; what they did before decides about advisories. */
  readonly whole?: boolean;
  /** The public key of the DPoP proofs of a walk; null: that of the first proof. */
  readonly proof_key?: JsonObject | null;
}

/** A code that was issued over control. */
export interface IssuedCode {
  readonly kind: 'issue';
  readonly at: string;
  readonly request: IssueCode;
  readonly code: string;
}

/** What was done to a device over control in place of its user, or by the user at its page. */
export interface DeviceDecision {
  readonly kind: 'decision';
  readonly at: string;
  readonly decision: 'approve' | 'deny' | 'expire';
  readonly user_code: string;
  readonly client_id: string;
  /** null unless it was approved. */
  readonly sub: string | null;
  readonly scope: string;
}

/** Tokens that were issued over control, without a grant. */
export interface MintedTokens {
  readonly kind: 'minted';
  readonly at: string;
  readonly request: MintTokens;
  readonly access_token: string;
  readonly refresh_token: string | null;
}

/** A code or a token that was ended over control. */
export interface EndedCredential {
  readonly kind: 'ended';
  readonly at: string;
  readonly how: 'revoke' | 'expire';
  readonly value: string;
}

export interface RecordedExchange {
  readonly kind: 'exchange';
  /** With its secrets. */
  readonly exchange: Exchange;
  /** Set when the request has a deliberate mistake: the name of its step. */
  readonly verdict: { readonly title: string } | null;
}

/** A run of like answers. */
export interface RecordedBurst {
  readonly kind: 'burst';
  readonly count: number;
  /** The last of them. */
  readonly exchange: Exchange;
}

export type RecordedEvent =
  IssuedCode | MintedTokens | EndedCredential | DeviceDecision | RecordedExchange | RecordedBurst;

/** null for what was done over control, without a request. */
export const exchangeOf = (event: RecordedEvent): Exchange | null =>
  event.kind === 'exchange' || event.kind === 'burst' ? event.exchange : null;

/** Lists in any order; the client of the walk comes first. */
export interface Sandbox {
  readonly issuer: string;
  readonly clients: readonly Client[];
  readonly users: readonly Omit<User, 'has_password'>[];
  readonly audiences: readonly Audience[];
  readonly settings: Settings;
  /** The provider that is imitated; left out for none. */
  readonly shape?: Shape | undefined;
  /** Rules that requests of the walk ran into. */
  readonly faults: readonly Fault[];
}

/** Whether it pushes the parameters of an authorization request (RFC 9126). */
export const isPush = ({ method, path }: Exchange): boolean =>
  method === 'POST' && path.split('?', 1)[0] === PUSH_PATH;

/** The parameters in the form of a push, without the secret of its client, else those of the query. */
export function askedParameters(exchange: Exchange): string {
  if (!isPush(exchange)) return exchange.path.split('?', 2)[1] ?? '';
  const pushed = new URLSearchParams(bodyText(exchange.request));
  pushed.delete('client_secret');
  return pushed.toString();
}

/** The request_uri of a response to a push; null when it was rejected. */
export function requestUriOf(exchange: Exchange): string | null {
  const request_uri = parseJsonObject(bodyText(exchange.response))?.['request_uri'];
  return exchange.status === 201 && typeof request_uri === 'string' ? request_uri : null;
}
