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

/** Issues a code. Its texts are copied, because it outlives its request; all codes share a registered redirect URI. */
export async function issueCode(
  { ports, registry, epoch }: Issuing,
  lineage: Lineage,
  order: CodeOrder,
): Promise<CodeRecord> {
  const now = ports.clock.now();
  const { by, jkt } = order;
  const client = registry.clients.get(lineage.registration.client_id);
  const registered = client?.redirect_uris.find((uri) => uri === order.redirect_uri);
  const redirect_uri = registered ?? keptText(order.redirect_uri);
  const requested_scope = keptText(order.requested_scope);
  const code_challenge = keptOrNull(order.code_challenge);
  const nonce = keptOrNull(order.nonce);
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
    expires_at: now + order.expires_in * 1000,
    jkt,
    issued_by: by?.exchange ?? null,
    end: null,
    redirect_uri,
    redirect_uri_given: order.redirect_uri_given,
    requested_scope,
    code_challenge,
    code_challenge_method: order.code_challenge_method,
    nonce,
    access_token_expires_in: order.access_token_expires_in,
  };
  await ports.stores.insertCode(code, now);
  noteIssued(by, code);
  ports.emit({ type: 'credentials' });
  return code;
}
