// Issues authorization codes (RFC 6749 4.1.2).

import {
  type CodeRecord,
  credentialBytes,
  type IssuingExchange,
  type Lineage,
  noteIssued,
} from '../model/credentials.ts';
import { keptText } from '../collections/kept-text.ts';
import type { Issuing } from '../model/domain.ts';
import { encodeRandom } from './random-text.ts';

export type CodeOrder = Pick<
  CodeRecord,
  | 'redirect_uri'
  | 'redirect_uri_given'
  | 'requested_scope'
  | 'code_challenge'
  | 'code_challenge_method'
  | 'nonce'
  | 'access_token_expires_in'
  | 'jkt'
> & {
  /** Seconds. */
  readonly expires_in: number;
  /** The exchange in which it is issued; null for the control API. */
  readonly by: IssuingExchange | null;
};

const keptOrNull = (text: string | null) => (text === null ? null : keptText(text));

type CodeTexts = Omit<CodeOrder, 'expires_in' | 'by' | 'jkt'>;

/**
 * Returns the order with copies of its texts, because a code outlives its request.
 * @param registered redirect URIs, whose texts are shared by all codes
 */
function keptOrder(order: CodeTexts, registered: readonly string[]): CodeTexts {
  const { redirect_uri } = order;
  return {
    ...order,
    redirect_uri: registered.find((uri) => uri === redirect_uri) ?? keptText(redirect_uri),
    requested_scope: keptText(order.requested_scope),
    code_challenge: keptOrNull(order.code_challenge),
    nonce: keptOrNull(order.nonce),
  };
}

export async function issueCode(
  { ports, registry, epoch }: Issuing,
  lineage: Lineage,
  { expires_in, by, jkt, ...given }: CodeOrder,
): Promise<CodeRecord> {
  const now = ports.clock.now();
  const client = registry.clients.get(lineage.registration.client_id);
  const order = keptOrder(given, client?.redirect_uris ?? []);
  const { redirect_uri, requested_scope, code_challenge, nonce } = order;
  const code: CodeRecord = {
    kind: 'code',
    value: encodeRandom(ports.random(32)),
    state: 'issued',
    queue_index: -1,
    seq: epoch.nextCredential(),
    n: ++lineage.count,
    lineage,
    bytes: credentialBytes(lineage, [redirect_uri, requested_scope, code_challenge, nonce, jkt]),
    issued_at: now,
    expires_at: now + expires_in * 1000,
    jkt,
    issued_by: by?.exchange ?? null,
    end: null,
    ...order,
  };
  await ports.stores.insertCode(code, now);
  noteIssued(by, code);
  ports.emit({ type: 'credentials' });
  return code;
}
