// The input of a scenario: requests with their responses, actions over the control API, and the registered records.

import type { Fault } from '../../control/fault-schemas.ts';
import type {
  Api,
  Audience,
  Client,
  Exchange,
  IssueCode,
  MintTokens,
  Settings,
  Shape,
  User,
} from '../../control/schemas.ts';
import { parseJsonObject, type JsonObject } from '../../json.ts';
import { bodyText, queryOf } from '../exchange/answer.ts';

export interface Recording {
  readonly name: string;
  /** Oldest first, with secrets. */
  readonly events: readonly RecordedEvent[];
  readonly sandbox: Sandbox;
  /**
   * Whether the scenario contains the registered records, with placeholders for their secrets, and so brings its own
   * sandbox. Otherwise it only names clients and users of the sandbox in use.
   */
  readonly with_workspace: boolean;
  /** Whether these are all requests of its clients, since advisories depend on earlier ones. */
  readonly whole?: boolean;
  /** The public key of the DPoP proofs of the flow; null: the key of the first proof. */
  readonly proof_key?: JsonObject | null;
}

/** A code that was issued over the control API. */
export interface IssuedCode {
  readonly kind: 'issue';
  readonly at: string;
  readonly request: IssueCode;
  readonly code: string;
}

/** A decision about a device, over the control API or by its user on the page. */
export interface DeviceDecision {
  readonly kind: 'decision';
  readonly at: string;
  readonly decision: 'approve' | 'deny' | 'expire';
  readonly user_code: string;
  readonly client_id: string;
  /** The user who approved; null otherwise. */
  readonly sub: string | null;
  readonly scope: string;
}

/** Tokens that were issued over the control API, without a grant. */
export interface MintedTokens {
  readonly kind: 'minted';
  readonly at: string;
  readonly request: MintTokens;
  readonly access_token: string;
  readonly refresh_token: string | null;
}

/** A code or a token that was revoked or expired over the control API. */
export interface EndedCredential {
  readonly kind: 'ended';
  readonly at: string;
  readonly how: 'revoke' | 'expire';
  readonly value: string;
}

interface RecordedExchange {
  readonly kind: 'exchange';
  /** With its secrets. */
  readonly exchange: Exchange;
  /** The name of the step; set when the request was a deliberate mistake. */
  readonly verdict: { readonly title: string } | null;
}

/** Repeated requests with the same status. */
interface RecordedBurst {
  readonly kind: 'burst';
  readonly count: number;
  /** The last of them. */
  readonly exchange: Exchange;
}

export type RecordedEvent =
  IssuedCode | MintedTokens | EndedCredential | DeviceDecision | RecordedExchange | RecordedBurst;

/** Returns null for an action over the control API, which has no request. */
export const exchangeOf = (event: RecordedEvent): Exchange | null =>
  event.kind === 'exchange' || event.kind === 'burst' ? event.exchange : null;

/** The registered records, in any order. */
export interface Sandbox {
  readonly issuer: string;
  readonly clients: readonly Client[];
  readonly users: readonly Omit<User, 'has_password'>[];
  readonly audiences: readonly Audience[];
  /** The protected APIs; omitted for none. */
  readonly apis?: readonly Api[] | undefined;
  readonly settings: Settings;
  /** The provider shape; omitted for none. */
  readonly shape?: Shape | undefined;
  /** The fault rules that applied to recorded requests. */
  readonly faults: readonly Fault[];
}

/** Whether the request pushes the parameters of an authorization request (RFC 9126). */
export const isPush = ({ method, endpoint }: Exchange): boolean =>
  method === 'POST' && endpoint === 'par';

/** The parameters in the query of a request. */
export const queryParameters = (exchange: Exchange): URLSearchParams =>
  new URLSearchParams(queryOf(exchange));

/** The authorization parameters: from the form of a push, without the client secret, or from the query. */
export function askedParameters(exchange: Exchange): URLSearchParams {
  if (!isPush(exchange)) return queryParameters(exchange);
  const pushed = new URLSearchParams(bodyText(exchange.request));
  pushed.delete('client_secret');
  return pushed;
}

/** The request_uri of an accepted push; null for any other request. */
export function requestUriOf(exchange: Exchange): string | null {
  if (!isPush(exchange) || exchange.status !== 201) return null;
  const request_uri = parseJsonObject(bodyText(exchange.response))?.['request_uri'];
  return typeof request_uri === 'string' ? request_uri : null;
}
