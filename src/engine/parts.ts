// The options of an engine, and its parts, which handlers use.

import type { ServerState } from '../control/schemas.ts';
import type { Random } from '../core/model/ports.ts';
import type { Provider, Workspace } from '../core/records/schemas.ts';
import type { TokenService } from '../core/service.ts';
import type { Move } from './lifecycle.ts';
import type { Holds } from '../server/faults/held-exchanges.ts';
import type { Tls } from '../server/tls.ts';
import type { AdvisoryLog } from './exchanges/advisory-log.ts';
import type { ExchangeLog } from './exchanges/log.ts';
import type { Feed } from './feed/batches.ts';
import type { Keys } from './signing-keys.ts';
import type { Redaction } from './exchanges/exchange-redactor.ts';
import type { Saved } from './workspace/saved-by-name.ts';
import type { WorkspaceKeeper } from './workspace/active-workspace.ts';

export interface EngineOptions {
  /** One address to listen on; both loopback addresses by default. */
  readonly host?: string | undefined;
  /** 0 selects a free port. */
  readonly port: number;
  /** The certificate and key for HTTPS; must be valid when the engine is created. */
  readonly tls?: Tls | undefined;
  /** Whether to start with HTTPS; true by default if `tls` is set. */
  readonly https?: boolean | undefined;
  /** The folder of the certificate for HTTPS without `tls`; generated when needed. */
  readonly certificate_folder?: string | undefined;
  /** Overrides the issuer of the workspace for this run; never saved. */
  readonly issuer?: string | undefined;
  /** Overrides the imitated provider of the workspace. */
  readonly provider?: Provider | undefined;
  /** The workspace file; without it, `base` is used in memory. */
  readonly workspace?: { readonly file: string; readonly save: boolean } | undefined;
  /** The checked workspace without a file; the demo workspace by default. */
  readonly base?: Workspace | undefined;
  /**
   * A file that keeps signing keys, epochs and the denial list, so that access tokens remain valid after a restart;
   * readable only by the owner.
   */
  readonly keep_file?: string | undefined;
  readonly version: string;
  /** Ports that are reserved and not suggested as free. */
  readonly reserved_ports?: readonly number[] | undefined;
  /** Called with internal errors; prints to stderr by default. */
  readonly onFault?: (fault: unknown) => void;
  /** For tests: the machine clock in ms since the epoch, and a source of randomness. */
  readonly now?: () => number;
  readonly random?: Random;
}

/** The address of the sandbox's sockets, and the certificate to trust; null over HTTP. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly cert: string | null;
}

export interface EngineParts {
  readonly service: TokenService;
  readonly exchanges: ExchangeLog;
  readonly advisories: AdvisoryLog;
  readonly feed: Feed;
  readonly redaction: Redaction;
  readonly keys: Keys;
  readonly workspace: WorkspaceKeeper;
  readonly saved: Saved;
  /** The address for requests to the sandbox; null while nothing listens. */
  readonly address: () => Address | null;
  readonly start: (move?: Move) => Promise<ServerState>;
  readonly stop: () => Promise<void>;
  readonly server: () => ServerState;
  /** Deletes credentials and exchanges, and resets counters and the clock. */
  readonly reset: () => void;
  /** Exchanges of apps that are held. */
  readonly holds: Holds;
  /** The states of sign-ins that end at a callback of the control API. */
  readonly ownStates: Set<string>;
  /** The ports of this process, to which it sends no request of its own. */
  readonly ownPorts: () => readonly number[];
  readonly onFault: (fault: unknown) => void;
  /** Waits until revocations are on disk; null if none are pending or nothing is kept. */
  readonly synced: () => Promise<void> | null;
  readonly closing: AbortSignal;
}
