// The engine: the token service with its sockets, its workspace and its feed, as one thing that the
// shells hold. It is loaded before the first token can be issued, so whatever only control needs (schemas,
// oRPC, WebSockets, writing files) is imported when first used.

import { setMaxListeners } from 'node:events';
import type { ControlClient } from '../control/client.ts';
import type { ExchangeSummary, ServerState } from '../control/schemas.ts';
import { ENDPOINTS } from '../core/records/endpoints.ts';
import type { TokenService } from '../core/service.ts';
import type { Move } from './lifecycle.ts';
import { assemble } from './assemble.ts';
import { exchangeSummary } from './exchanges/summary.ts';
import { inTurns } from './exchanges/turns.ts';
import type { Router } from './handlers/index.ts';
import { lazily } from './promises.ts';
import type { EngineOptions, EngineParts } from './parts.ts';
export { PortInUseError } from '../server/bind.ts';
export type { EngineOptions } from './parts.ts';
export { WorkspaceError } from './workspace/document.ts';

export interface Engine {
  readonly service: TokenService;
  /**
   * Listens where it did before, or was to begin with, but for what is given. @throws PortInUseError and what else
   * keeps it from listening; the state then says `failed`, unless it listens where it did before
   */
  readonly start: (move?: Move) => Promise<ServerState>;
  /** Finishes the requests in flight and closes the sockets. */
  readonly stop: () => Promise<void>;
  /** Everything changed so far is saved, or could not be. */
  readonly flush: () => Promise<void>;
  /** Stops, saves what is to be saved, ends every feed. */
  readonly close: () => Promise<void>;
  readonly server: () => ServerState;
  /**
   * Takes the workspace of this file in place of all there is, and saves to it from now on; what was
   * issued and seen stays. @throws WorkspaceError, with nothing changed
   */
  readonly openWorkspace: (file: string) => Promise<void>;
  /** Saves the workspace to this file, now and from now on. @throws WorkspaceError */
  readonly saveWorkspaceAs: (file: string) => Promise<void>;
  /** Where the workbench is, as the landing page shows it; without token. */
  readonly setWorkbenchUrl: (url: string | null) => void;
  /** Keeps a secret of a shell out of all that is shown. */
  readonly hide: (secret: string) => void;
  /** The control operations; loaded at the first call. */
  readonly getRouter: () => Promise<Router>;
  /** The same for this process, without a socket between. */
  readonly getControl: () => Promise<ControlClient>;
  readonly onFault: (fault: unknown) => void;
  /** Called with every exchange, soon after its answer went out. */
  readonly onExchange: (listener: (exchange: ExchangeSummary) => void) => () => void;
  /** Called when the issuer or the port has changed. */
  readonly onAddress: (listener: () => void) => () => void;
}

/** Wildcards cannot be connected to everywhere. */
function reachable(host: string | null): string {
  return host === null || ['0.0.0.0', '::', ''].includes(host) ? '127.0.0.1' : host;
}

/**
 * Makes an engine that does not listen yet.
 * @throws WorkspaceError when the workspace, or the file of what is kept, cannot be taken
 * @throws CertificateError when HTTPS cannot be served with `tls`
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  let workbenchUrl: string | null = null;
  const closing = new AbortController();
  // Everyone who waits for something listens; how many may wait is limited there.
  setMaxListeners(0, closing.signal);
  const { clock, lifecycle, tls, flush, end, fileOf, onAddress, ...made } = await assemble(
    options,
    () => workbenchUrl,
  );
  const { service, exchanges, feed, workspace } = made;
  try {
    await workspace.open();
  } catch (error) {
    // Another engine may be tried with the same file of what is kept.
    await end();
    throw error;
  }

  const parts: EngineParts = {
    ...made,
    closing: closing.signal,
    server: () => ({
      ...lifecycle.now(),
      issuer: service.issuer(),
      token_endpoint: `${service.base()}${ENDPOINTS.token.path}`,
      endpoints: service.endpoints(),
      certificate: lifecycle.now().https ? (tls()?.file ?? null) : null,
      version: options.version,
      workspace: workspace.state(),
    }),
    address: () => {
      const { state, port, host, https } = lifecycle.now();
      if (state !== 'running') return null;
      return { host: reachable(host), port, cert: https ? (tls()?.cert ?? null) : null };
    },
    start: async (move) => {
      await lifecycle.start(move);
      return parts.server();
    },
    stop: lifecycle.stop,
    reset: () => {
      exchanges.capture.clear();
      clock.reset();
      service.reset();
    },
  };
  const getRouter = lazily(async () => {
    const { createRouter } = await import('./handlers/index.ts');
    return createRouter(parts);
  });
  return {
    service,
    server: parts.server,
    start: parts.start,
    stop: parts.stop,
    flush,
    close: async () => {
      closing.abort();
      await lifecycle.stop();
      await flush();
      await end();
      feed.close();
    },
    openWorkspace: async (file) => {
      await workspace.openFile(await fileOf({ file, save: true }));
      feed.changed('server');
    },
    saveWorkspaceAs: async (file) => {
      await workspace.saveAs(await fileOf({ file, save: true }));
      feed.changed('server');
    },
    setWorkbenchUrl: (url) => {
      workbenchUrl = url;
    },
    hide: made.redaction.hide,
    getRouter,
    getControl: lazily(async () => {
      const { createLocalClient } = await import('./handlers/index.ts');
      return createLocalClient(await getRouter());
    }),
    onFault: made.onFault,
    onAddress,
    onExchange: (listener) =>
      exchanges.onExchange(
        inTurns((exchange) => {
          listener(exchangeSummary(exchange, made.redaction));
        }),
      ),
  };
}
