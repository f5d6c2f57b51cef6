// What a recording is made of: requests with their responses, and what was done over control in place of a user.

import type { Exchange, IssueCode } from '../../control/schemas.ts';

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

export interface RecordedExchange {
  readonly kind: 'exchange';
  /** With its secrets. */
  readonly exchange: Exchange;
  /** Set when the request was wrong on purpose: the name of its step. */
  readonly verdict: { readonly title: string } | null;
}

/** A run of like answers. */
export interface RecordedBurst {
  readonly kind: 'burst';
  readonly count: number;
  /** The last of them. */
  readonly exchange: Exchange;
}

export type RecordedEvent = IssuedCode | DeviceDecision | RecordedExchange | RecordedBurst;

/** null for what was done over control, without a request. */
export const exchangeOf = (event: RecordedEvent): Exchange | null =>
  event.kind === 'exchange' || event.kind === 'burst' ? event.exchange : null;
