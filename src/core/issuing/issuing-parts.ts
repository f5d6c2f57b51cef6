// What issuing needs for every kind of credential: the ports, the registry and the counters of the epoch. Texts that
// many records share are stored once.

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
  /** The current issuer identifier. */
  readonly issuer: () => string;
  readonly epoch: Epoch;
  /** Returns a text that all tokens for this audience share: that of the registry or the issuer. */
  readonly sharedAudience: (uri: string) => string;
}

/** @param registry has the audiences whose texts are shared */
export function createSharedAudience(registry: Registry): IssuingParts['sharedAudience'] {
  let own = '';
  return (uri) => {
    const registered = registry.audiences.get(uri);
    if (registered !== undefined) return registered.uri;
    if (own !== uri) own = keptText(uri);
    return own;
  };
}

/** Whether there was no reset since: a request that was in progress then must not store anything. */
export const isCurrent = ({ epoch }: IssuingParts, lineage: Lineage): boolean =>
  lineage.epoch === epoch.name;
