// What an engine is told, and what the handlers work with: its parts, put together in engine.ts.

import type { ServerState } from '../control/schemas.ts';
import type { Random } from '../core/model/ports.ts';
import type { Provider, Workspace } from '../core/records/schemas.ts';
import type { TokenService } from '../core/service.ts';
import type { Move } from './lifecycle.ts';
import type { Tls } from '../server/tls.ts';
import type { AdvisoryLog } from './exchanges/advisory-log.ts';
import type { ExchangeLog } from './exchanges/log.ts';
import type { Feed } from './feed/batches.ts';
import type { Keys } from './keys/signing-keys.ts';
import type { Redaction } from './exchanges/redaction.ts';
import type { Saved } from './workspace/saved.ts';
import type { WorkspaceKeeper } from './workspace/keeper.ts';

export interface EngineOptions {
  /** One address to listen on; both loopback addresses by default. */
  readonly host?: string | undefined;
  /** 0 takes a free one. */
  readonly port: number;
  /** What HTTPS is served with; it must be good when the engine is made. */
  readonly tls?: Tls | undefined;
  /** Whether HTTPS is served at first; left out, it is where there is `tls`. */
  readonly https?: boolean | undefined;
  /** Where the certificate is kept that HTTPS is served with without `tls`; made when it is needed. */
  readonly certificate_folder?: string | undefined;
  /** Fixes the issuer for this run, whatever the workspace says; never saved. */
  readonly issuer?: string | undefined;
  /** Imitates this provider, whatever the workspace says. */
  readonly provider?: Provider | undefined;
  /** Without it, `base`, in memory. */
  readonly workspace?: { readonly file: string; readonly save: boolean } | undefined;
  /** What there is without a workspace file, checked already; the demo workspace by default. */
  readonly base?: Workspace | undefined;
  /**
   * Keeps signing keys, epochs and the denial list from one start to the next, so that access tokens
   * outlive it; readable by the owner only.
   */
  readonly keep_file?: string | undefined;
  readonly version: string;
  /** Ports that are meant for something else: not to be offered as free ones. */
  readonly reserved_ports?: readonly number[] | undefined;
  /** Called with faults of our own; stderr by default. */
  readonly onFault?: (fault: unknown) => void;
  /** For tests: the machine's clock in ms since the epoch, and a source of randomness. */
  readonly now?: () => number;
  readonly random?: Random;
}

/** Where our own sockets are, and the certificate to trust there: null over HTTP. */
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
  /** Where requests of our own go; null while nothing listens. */
  readonly address: () => Address | null;
  readonly start: (move?: Move) => Promise<ServerState>;
  readonly stop: () => Promise<void>;
  readonly server: () => ServerState;
  /** Empties what was issued, seen and counted, and resets the clock. */
  readonly reset: () => void;
  /** The states of sign-ins that end at a callback of our own. */
  readonly ownStates: Set<string>;
  readonly onFault: (fault: unknown) => void;
  /** Waits until what made tokens no good is kept; null when that is, or nothing is kept. */
  readonly synced: () => Promise<void> | null;
  /** Aborted when the engine closes. */
  readonly closing: AbortSignal;
}
