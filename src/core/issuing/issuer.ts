// Issues lineages, codes, refresh tokens and access tokens (behaviour 2 and 4), with a file for each. Nothing is
// checked here: the callers have decided.

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
  /** New at every start and reset; tokens of unknown epochs are not recognized. */
  readonly epoch: string;
  /** Whether tokens of this epoch are recognized: it is the current one, or was saved. */
  recognises(epoch: string): boolean;
  /** Recognizes the tokens of earlier epochs as well, whose keys and denials were saved. */
  keepEpochs(epochs: readonly KeptEpoch[]): void;
  /** Returns the current epoch and the earlier ones, whose access tokens may still exist. */
  issuedSoFar(): readonly IssuedInEpoch[];
  /**
   * When the last access token of this epoch expires (in ms of the sandbox clock); 0 before the first one is issued.
   */
  readonly access_until: number;
  openLineage(about: LineageOrder): Lineage;
  /** Records the audience and scope that were decided when the code was exchanged. */
  decideLineage(lineage: Lineage, audience: string, scope: string): void;
  issueCode(lineage: Lineage, order: CodeOrder): Promise<CodeRecord>;
  issueRefreshToken(lineage: Lineage, by: IssuingExchange | null): Promise<RefreshTokenRecord>;
  /** Extends a refresh token that was used, if refresh tokens have an idle time. */
  renew(token: RefreshTokenRecord): Promise<void>;
  issueAccessToken(order: AccessTokenOrder): Promise<IssuedAccessToken>;
  /**
   * Returns an issuer with the same settings and the next numbers, which stay free here.
   * @param ports where issued credentials are stored and announced
   * @param keyring signs the tokens
   */
  fork(ports: Ports, keyring: Keyring): Issuer;
  /** Starts a new epoch and resets every counter. */
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
