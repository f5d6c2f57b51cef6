// What the issuing of every kind of credential is handed: the ports, the registry and the epoch's numbers. Texts
// that many records share are kept once.

import { keptText } from '../collections/kept-text.ts';
import type { Lineage } from '../model/credentials.ts';
import type { Ports } from '../model/ports.ts';
import type { Settings } from '../records/schemas.ts';
import type { Registry } from '../registry/lists.ts';
import type { ResolvedShape } from '../shape/resolve.ts';
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
