// What a code is ordered with, beside its lineage.

import type { CodeRecord } from '../model/credentials.ts';
import type { IssuingExchange } from '../model/issued.ts';
import { keptText } from '../collections/kept-text.ts';

export type CodeOrder = Pick<
  CodeRecord,
  | 'redirect_uri'
  | 'redirect_uri_given'
  | 'asked_scope'
  | 'code_challenge'
  | 'code_challenge_method'
  | 'nonce'
  | 'access_token_expires_in'
> & {
  /** Seconds. */
  readonly expires_in: number;
  /** Thumbprint of the key that it is bound to (RFC 9449 10); null when it is not. */
  readonly jkt: string | null;
  /** The exchange it is issued in; null over control. */
  readonly by: IssuingExchange | null;
};

const keptOrNull = (text: string | null) => (text === null ? null : keptText(text));

type CodeTexts = Omit<CodeOrder, 'expires_in' | 'by' | 'jkt'>;

/**
 * The order with texts of its own: codes outlive the request that they are issued for.
 * @param registered redirect URIs, whose texts all codes may share
 */
export function keptOrder(order: CodeTexts, registered: readonly string[]): CodeTexts {
  const { redirect_uri } = order;
  return {
    ...order,
    redirect_uri: registered.find((uri) => uri === redirect_uri) ?? keptText(redirect_uri),
    asked_scope: keptText(order.asked_scope),
    code_challenge: keptOrNull(order.code_challenge),
    nonce: keptOrNull(order.nonce),
  };
}
