// Issuing authorization codes (RFC 6749 4.1.2).

import type { CodeRecord, Lineage } from '../model/credentials.ts';
import { credentialBytes } from '../model/credentials.ts';
import { noteIssued } from '../model/issued.ts';
import type { CodeOrder } from './code-order.ts';
import { keptOrder } from './code-order.ts';
import type { IssuingParts } from './issuing-parts.ts';
import { encodeRandom } from './random-text.ts';

export async function issueCode(
  parts: IssuingParts,
  lineage: Lineage,
  { expires_in, by, jkt, ...given }: CodeOrder,
): Promise<CodeRecord> {
  const { ports, registry } = parts;
  const now = ports.clock.now();
  const client = registry.clients.get(lineage.registration.client_id);
  const order = keptOrder(given, client?.redirect_uris ?? []);
  const { redirect_uri, asked_scope, code_challenge, nonce } = order;
  const code: CodeRecord = {
    kind: 'code',
    value: encodeRandom(ports.random(32)),
    state: 'issued',
    queue_index: -1,
    seq: parts.epoch.nextCredential(),
    n: ++lineage.count,
    lineage,
    bytes: credentialBytes(lineage, [redirect_uri, asked_scope, code_challenge, nonce, jkt]),
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
