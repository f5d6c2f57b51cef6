// What the handlers work with: the engine's parts, put together in engine.ts.

import type { ServerState } from '../control/schemas.ts';
import type { TokenService } from '../core/service.ts';
import type { ExchangeLog } from './exchange-log.ts';
import type { Feed } from './feed.ts';
import type { Keys } from './keys.ts';
import type { WorkspaceKeeper } from './workspace-keeper.ts';

export interface EngineParts {
  readonly service: TokenService;
  readonly exchanges: ExchangeLog;
  readonly feed: Feed;
  readonly keys: Keys;
  readonly workspace: WorkspaceKeeper;
  /** Where requests of our own go; null while nothing listens. */
  readonly address: () => { readonly host: string; readonly port: number } | null;
  readonly start: (port?: number) => Promise<ServerState>;
  readonly stop: () => Promise<void>;
  readonly server: () => ServerState;
  /** Empties what was issued, seen and counted, and resets the clock. */
  readonly reset: () => void;
  readonly onFault: (fault: unknown) => void;
  /** Aborted when the engine closes. */
  readonly closing: AbortSignal;
}
