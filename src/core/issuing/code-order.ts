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
  | 'auth_time'
  | 'access_token_expires_in'
> & {
  /** Seconds. */
  readonly expires_in: number;
  /** The exchange it is issued in; null over control. */
  readonly by: IssuingExchange | null;
};

const keptOrNull = (text: string | null) => (text === null ? null : keptText(text));

type CodeTexts = Omit<CodeOrder, 'expires_in' | 'by'>;

/**
 * The order with texts of its own: codes outlive the request that they came of.
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
