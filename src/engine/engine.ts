// The engine: the token service with its sockets, workspace and feed, which the window, the command line and the
// library use. It is loaded before the first token can be issued, so what only control needs (schemas, oRPC,
// WebSockets, writing files) is imported on first use. It never decides about a token request: core does.

import { setMaxListeners } from 'node:events';
import type { ControlClient } from '../control/contract.ts';
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
   * Listens on the given address; omitted members keep their values.
   * @throws PortInUseError, or another error if it cannot listen; the state is then `failed`, unless it still listens
   * on its previous address
   */
  readonly start: (move?: Move) => Promise<ServerState>;
  /** Finishes the requests in flight and closes the sockets. */
  readonly stop: () => Promise<void>;
  /** Resolves when all changes so far were saved or saving has failed. */
  readonly flush: () => Promise<void>;
  /** Stops, saves pending changes, and ends all feeds. */
  readonly close: () => Promise<void>;
  readonly server: () => ServerState;
  /**
   * Replaces the workspace with that of this file, and saves changes to it from now on. Credentials and exchanges
   * remain.
   * @throws WorkspaceError without any change
   */
  readonly openWorkspace: (file: string) => Promise<void>;
  /** Saves the workspace to this file, and changes from now on. @throws WorkspaceError */
  readonly saveWorkspaceAs: (file: string) => Promise<void>;
  /** Sets the URL of the workbench for the landing page, without control token. */
  readonly setWorkbenchUrl: (url: string | null) => void;
  /** Redacts an additional secret everywhere. */
  readonly hide: (secret: string) => void;
  /** Returns the control operations; loads them on the first call. */
  readonly getRouter: () => Promise<Router>;
  /** Returns the control operations for callers in this process. */
  readonly getControl: () => Promise<ControlClient>;
  readonly onFault: (fault: unknown) => void;
  /** Called with every exchange, shortly after its response was sent. */
  readonly onExchange: (listener: (exchange: ExchangeSummary) => void) => () => void;
  /** Called when the issuer or the port has changed. */
  readonly onAddress: (listener: () => void) => () => void;
}

/** Not every system can connect to a wildcard address. */
function reachable(host: string | null): string {
  return host === null || ['0.0.0.0', '::', ''].includes(host) ? '127.0.0.1' : host;
}

/**
 * Creates an engine that is not listening yet.
 * @throws WorkspaceError if the workspace or the --keep file is invalid
 * @throws CertificateError if `tls` cannot be used for HTTPS
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  let workbenchUrl: string | null = null;
  const closing = new AbortController();
  // Every waiter adds a listener; waiters are limited elsewhere.
  setMaxListeners(0, closing.signal);
  const { clock, lifecycle, tls, flush, end, fileOf, keepProblem, listen, onAddress, ...made } =
    await assemble(options, () => workbenchUrl);
  const { service, exchanges, feed, workspace } = made;
  try {
    await workspace.open();
  } catch (error) {
    // Another engine may then use the same --keep file.
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
      keep_problem: keepProblem(),
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
  const getLogout = lazily(async () => {
    const { createBackChannelLogout } = await import('./back-channel-logout.ts');
    return createBackChannelLogout(parts);
  });
  listen((event) => {
    if (event.type !== 'signed_out') return;
    void getLogout()
      .then(({ notify }) => notify(event.sub, event.clients))
      .catch(parts.onFault);
  });
  const getRouter = lazily(async () => {
    const { createRouter } = await import('./handlers/index.ts');
    return createRouter(parts, await getLogout());
  });
  return {
    service,
    server: parts.server,
    start: parts.start,
    stop: parts.stop,
    flush,
    close: async () => {
      closing.abort();
      made.holds.clear();
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
