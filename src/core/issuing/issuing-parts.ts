// What the issuing of every kind of credential is handed: the ports, the epoch's numbers, and the members that
// all records have. Texts that many records share are kept once.

import { keptText } from '../collections/kept-text.ts';
import type { CredentialBase, Lineage } from '../model/credentials.ts';
import { credentialBytes } from '../model/credentials.ts';
import type { IssuingExchange } from '../model/issued.ts';
import type { Ports } from '../model/ports.ts';
import type { Settings } from '../records/schemas.ts';
import type { Registry } from '../registry/lists.ts';
import type { ResolvedShape } from '../shape/shape.ts';
import type { Epoch } from './epoch.ts';
import type { Keyring } from './keyring.ts';

export interface IssuingParts {
  readonly ports: Ports;
  readonly registry: Registry;
  readonly keyring: Keyring;
  readonly settings: () => Settings;
  readonly shape: () => ResolvedShape | null;
  /** The issuer identifier now. */
  readonly issuer: () => string;
  readonly epoch: Epoch;
  /** A text that all tokens for this audience share: of the registry, or the issuer's own. */
  readonly sharedAudience: (uri: string) => string;
}

/** @param registry whose audiences' texts are shared */
export function createSharedAudience(registry: Registry): IssuingParts['sharedAudience'] {
  let own = '';
  return (uri) => {
    const registered = registry.audiences.get(uri);
    if (registered !== undefined) return registered.uri;
    if (own !== uri) own = keptText(uri);
    return own;
  };
}

/** Whether no reset came between: what was in flight then leaves nothing behind. */
export const isCurrent = ({ epoch }: IssuingParts, lineage: Lineage): boolean =>
  lineage.epoch === epoch.name;

export interface CredentialOrder {
  /** Milliseconds of the sandbox clock. */
  readonly issued_at: number;
  readonly expires_at: number;
  /** The exchange it is issued in; null over control. */
  readonly by: IssuingExchange | null;
  /** Thumbprint of the key that it is bound to; null when it is not. */
  readonly jkt: string | null;
}

/**
 * The members that every credential has; counts it in its lineage.
 * @param texts taken from the request that it was issued for
 */
export function credentialBase(
  { epoch }: IssuingParts,
  lineage: Lineage,
  { issued_at, expires_at, by, jkt }: CredentialOrder,
  texts: readonly (string | null)[] = [],
): CredentialBase {
  return {
    seq: epoch.nextCredential(),
    n: ++lineage.count,
    lineage,
    bytes: credentialBytes(lineage, jkt === null ? texts : [...texts, jkt]),
    issued_at,
    expires_at,
    jkt,
    issued_by: by?.exchange ?? null,
    ended_at: null,
    ended_by: null,
  };
}
