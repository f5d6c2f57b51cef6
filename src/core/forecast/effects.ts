// What a request would change, as data, and in words for whoever asks.

import { instant } from '../checks/refusals/refusal.ts';

export type Effect =
  /** The request counts against the counter with this id. */
  | {
      readonly kind: 'count';
      readonly id: string;
      readonly used: number;
      readonly limit: number;
      readonly exceeded: boolean;
    }
  /** An assertion or a DPoP proof is remembered until then, in ms of the sandbox clock: it cannot be used again. */
  | { readonly kind: 'use_once'; readonly id: null; readonly until: number }
  /** A code is used up, a refresh token replaced, a credential revoked: by its id. */
  | { readonly kind: 'redeem' | 'rotate' | 'revoke'; readonly id: string }
  /** A refresh token gets more time. */
  | { readonly kind: 'extend'; readonly id: string; readonly until: number }
  /** With every credential that is live. */
  | { readonly kind: 'revoke_lineage'; readonly id: string }
  /** A device by its user code. */
  | { readonly kind: 'poll_device'; readonly id: string; readonly interval: number }
  | { readonly kind: 'redeem_device'; readonly id: string }
  | { readonly kind: 'open_device' | 'push_request'; readonly id: null };

/** The effect in one sentence. */
export function describeEffect(effect: Effect): string {
  switch (effect.kind) {
    case 'count':
      return effect.exceeded
        ? `The request counts as throttled: the limit of ${effect.limit} is used up.`
        : `The request counts as ${effect.used} of ${effect.limit} in this window.`;
    case 'use_once':
      return `The signed JWT is remembered until ${instant(effect.until)} and cannot be used again.`;
    case 'redeem':
      return `Code ${effect.id} is used up.`;
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
      return `The device code of ${effect.id} is used up.`;
    case 'open_device':
      return 'A device authorization is opened.';
    case 'push_request':
      return 'The authorization request is kept until the browser brings its request_uri.';
  }
}
