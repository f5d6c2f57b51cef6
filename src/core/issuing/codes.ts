// Issuing authorization codes (RFC 6749 4.1.2).

import type { CodeRecord, Lineage } from '../model/credentials.ts';
import { noteIssued } from '../model/issued.ts';
import type { CodeOrder } from './code-order.ts';
import { keptOrder } from './code-order.ts';
import type { IssuingParts } from './issuing-parts.ts';
import { credentialBase } from './issuing-parts.ts';
import { encodeRandom } from './random-text.ts';

export async function issueCode(
  parts: IssuingParts,
  lineage: Lineage,
  { expires_in, by, jkt, ...given }: CodeOrder,
): Promise<CodeRecord> {
  const { ports, registry } = parts;
  const now = ports.clock.now();
  const client = registry.clients.get(lineage.client_id);
  const order = keptOrder(given, client?.redirect_uris ?? []);
  const { redirect_uri, asked_scope, code_challenge, nonce } = order;
  const times = { issued_at: now, expires_at: now + expires_in * 1000, by, jkt };
  const texts = [redirect_uri, asked_scope, code_challenge, nonce];
  const code: CodeRecord = {
    kind: 'code',
    value: encodeRandom(ports.random(32)),
    state: 'issued',
    queue_index: -1,
    ...credentialBase(parts, lineage, times, texts),
    ...order,
  };
  await ports.stores.insertCode(code, now);
  noteIssued(by, code);
  ports.emit({ type: 'credentials' });
  return code;
}
