// Issuing: lineages, codes, refresh tokens and access tokens (behaviour 2 and 4), put together of a file for
// each. Nothing is checked here; whoever calls has decided already.

import type {
  CodeRecord,
  IssuingExchange,
  Lineage,
  RefreshTokenRecord,
} from '../model/credentials.ts';
import type { Ports } from '../model/ports.ts';
import type { Settings } from '../records/schemas.ts';
import type { Registry } from '../registry/lists.ts';
import type { ResolvedShape } from '../shape/resolve.ts';
import {
  type AccessTokenOrder,
  issueAccessToken,
  type IssuedAccessToken,
} from './access-tokens.ts';
import { type CodeOrder, issueCode } from './codes.ts';
import { createEpoch, type IssuedInEpoch, type KeptEpoch } from './epoch.ts';
import { createSharedAudience } from './issuing-parts.ts';
import type { Keyring } from './keyring.ts';
import { decideLineage, type LineageOrder, openLineage } from './lineages.ts';
import { issueRefreshToken, renewRefreshToken } from './issue-refresh-token.ts';

export interface Issuer {
  /** New at every start and reset; a token of another epoch is no token of ours. */
  readonly epoch: string;
  /** Whether a token of this epoch can be one of ours: it is this one, or was kept. */
  recognises(epoch: string): boolean;
  /** Takes tokens of earlier epochs for ours as well: their keys and denials were kept. */
  keepEpochs(epochs: readonly KeptEpoch[]): void;
  /** What access tokens there can be by now: those of this epoch and of the earlier ones. */
  issuedSoFar(): readonly IssuedInEpoch[];
  /** When the last access token of this epoch expires, in ms of the sandbox clock; 0 before the first. */
  readonly access_until: number;
  openLineage(about: LineageOrder): Lineage;
  /** Writes down what the exchange of a code has decided. */
  decideLineage(lineage: Lineage, audience: string, scope: string): void;
  issueCode(lineage: Lineage, order: CodeOrder): Promise<CodeRecord>;
  issueRefreshToken(lineage: Lineage, by: IssuingExchange | null): Promise<RefreshTokenRecord>;
  /** Gives a refresh token that was used more time, where unused ones expire. */
  renew(token: RefreshTokenRecord): Promise<void>;
  issueAccessToken(order: AccessTokenOrder): Promise<IssuedAccessToken>;
  /**
   * Issues by the same settings and with the numbers that come next, which stay free here.
   * @param ports where what is issued is stored and announced
   * @param keyring what signs
   */
  fork(ports: Ports, keyring: Keyring): Issuer;
  /** Starts a new epoch and forgets every number. */
  reset(): void;
}

export function createIssuer(
  ports: Ports,
  registry: Registry,
  keyring: Keyring,
  settings: () => Settings,
  shape: () => ResolvedShape | null,
  issuer: () => string,
  epoch = createEpoch(ports.random),
): Issuer {
  const sharedAudience = createSharedAudience(registry);
  const parts = { ports, registry, keyring, settings, shape, issuer, epoch, sharedAudience };
  return {
    get epoch() {
      return epoch.name;
    },
    recognises: epoch.recognises,
    keepEpochs: epoch.keep,
    issuedSoFar: epoch.issuedSoFar,
    get access_until() {
      return epoch.access_until;
    },
    openLineage: (order) => openLineage(parts, order),
    decideLineage: (lineage, audience, scope) => {
      decideLineage(parts, lineage, audience, scope);
    },
    issueCode: (lineage, order) => issueCode(parts, lineage, order),
    issueRefreshToken: (lineage, by) => issueRefreshToken(parts, lineage, by),
    renew: (token) => renewRefreshToken(parts, token),
    issueAccessToken: (order) => issueAccessToken(parts, order),
    fork: (other, signing) =>
      createIssuer(other, registry, signing, settings, shape, issuer, epoch.fork()),
    reset: epoch.reset,
  };
}
