// The effects that a request would have, as data and in words.

import { instant } from '../checks/refusals/refusal.ts';

export type Effect =
  /** The counter with this id counts the request. */
  | {
      readonly kind: 'count';
      readonly id: string;
      readonly used: number;
      readonly limit: number;
      readonly exceeded: boolean;
    }
  /** An assertion or a DPoP proof is remembered until then (in ms of the sandbox clock) and cannot be used again. */
  | { readonly kind: 'use_once'; readonly id: null; readonly until: number }
  /** A code is redeemed, a refresh token replaced or a credential revoked; `id` identifies it. */
  | { readonly kind: 'redeem' | 'rotate' | 'revoke'; readonly id: string }
  /** The idle time of a refresh token is extended. */
  | { readonly kind: 'extend'; readonly id: string; readonly until: number }
  /** A lineage is revoked with all its live credentials. */
  | { readonly kind: 'revoke_lineage'; readonly id: string }
  /** A device, identified by its user code. */
  | { readonly kind: 'poll_device'; readonly id: string; readonly interval: number }
  | { readonly kind: 'redeem_device'; readonly id: string }
  | { readonly kind: 'open_device' | 'push_request'; readonly id: null };

/** Returns the effect in one sentence. */
export function describeEffect(effect: Effect): string {
  switch (effect.kind) {
    case 'count':
      return effect.exceeded
        ? `The request is throttled: the limit of ${effect.limit} is exceeded.`
        : `The request is number ${effect.used} of ${effect.limit} in this window.`;
    case 'use_once':
      return `The signed JWT is remembered until ${instant(effect.until)} and cannot be used again.`;
    case 'redeem':
      return `Code ${effect.id} is redeemed.`;
    case 'rotate':
      return `Refresh token ${effect.id} is replaced.`;
    case 'revoke':
      return `Token ${effect.id} is revoked.`;
    case 'extend':
      return `Refresh token ${effect.id} then expires at ${instant(effect.until)}.`;
    case 'revoke_lineage':
      return `Lineage ${effect.id} is revoked with all its credentials.`;
    case 'poll_device':
      return `The poll of device ${effect.id} is counted; its interval is then ${effect.interval} s.`;
    case 'redeem_device':
      return `The device code of ${effect.id} is redeemed.`;
    case 'open_device':
      return 'A device authorization is opened.';
    case 'push_request':
      return 'The pushed request is stored until the browser sends its request_uri.';
  }
}
