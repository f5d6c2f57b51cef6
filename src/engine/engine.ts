// The engine: the token service with its sockets, its workspace and its feed, as one thing that the
// shells hold. It is loaded before the first token can be had, so whatever only control needs (schemas,
// oRPC, WebSockets, writing files) is imported when first used.

import { createHash, hash, randomBytes } from 'node:crypto';
import type { ExchangeSummary, ServerState } from '../control/schemas.ts';
import { createClock } from '../core/clock.ts';
import type { DomainEvent } from '../core/events.ts';
import type { Random, Sha256 } from '../core/ports.ts';
import type { SigningAlg } from '../core/schemas.ts';
import type { TokenService } from '../core/service.ts';
import { createTokenService } from '../core/service.ts';
import { createKeyring } from '../core/signing.ts';
import { createMemoryStores } from '../core/stores.ts';
import type { CapturedExchange } from '../server/capture.ts';
import { createHttpServer } from '../server/listen.ts';
import { createBlockedCounters } from './blocked-counters.ts';
import { DEMO_WORKSPACE } from './demo-workspace.ts';
import type { ExchangeLog } from './exchange-log.ts';
import { createExchangeLog } from './exchange-log.ts';
import { exchangeSummary } from './exchange-view.ts';
import { createFeed } from './feed.ts';
import type { Router } from './handlers/index.ts';
import { createKeys } from './keys.ts';
import { lazily } from './lazily.ts';
import { createLifecycle } from './lifecycle.ts';
import type { EngineParts } from './parts.ts';
import { counterView } from './views.ts';
import { createSavedFile } from './workspace-file.ts';
import { createWorkspaceKeeper } from './workspace-keeper.ts';
import { checkIssuer, WorkspaceError } from './workspace.ts';

export { PortInUseError } from '../server/bind.ts';
export { WorkspaceError };

export interface EngineOptions {
  /** One address to listen on; both loopback addresses by default. */
  readonly host?: string | undefined;
  /** 0 takes a free one. */
  readonly port: number;
  /** Fixes the issuer for this run, whatever the workspace says; never saved. */
  readonly issuer?: string | undefined;
  /** Without it, the demo workspace, in memory. */
  readonly workspace?: { readonly file: string; readonly save: boolean } | undefined;
  /** Keeps signing keys from one start to the next, readable by the owner only. */
  readonly keys_file?: string | undefined;
  readonly version: string;
  /** Ports that are meant for something else: not to be offered as free ones. */
  readonly reserved_ports?: readonly number[] | undefined;
  /** Told of faults of our own; stderr by default. */
  readonly onFault?: (fault: unknown) => void;
  /** For tests: the machine's clock in ms since the epoch, and a source of randomness. */
  readonly now?: () => number;
  readonly random?: Random;
}

export interface Engine {
  readonly service: TokenService;
  /** Listens on this port, or the former one. @throws PortInUseError; the state then says `failed` */
  start(port?: number): Promise<ServerState>;
  /** Finishes the requests in flight and closes the sockets. */
  stop(): Promise<void>;
  /** Stops, saves what is to be saved, ends every feed. */
  close(): Promise<void>;
  server(): ServerState;
  /** Where the workbench is, as the landing page shows it; without token. */
  setWorkbenchUrl(url: string | null): void;
  /** The control operations; loaded at the first call. */
  getRouter(): Promise<Router>;
  readonly onFault: (fault: unknown) => void;
  /** Told of every exchange, soon after its answer went out. */
  onExchange(listener: (exchange: ExchangeSummary) => void): () => void;
}

const sha256: Sha256 =
  typeof hash === 'function'
    ? (text) => hash('sha256', text, 'base64url')
    : (text) => createHash('sha256').update(text).digest('base64url');

const stopwatch = () => performance.now();

/** The algorithm to make a key for while the file is still being checked; null when it brings one. */
function neededAlg(data: unknown): unknown {
  const { settings, keys } = Object(data) as { settings?: unknown; keys?: unknown };
  const { signing_alg = DEMO_WORKSPACE.settings.signing_alg } = Object(settings) as {
    signing_alg?: unknown;
  };
  return Array.isArray(keys) && keys.length > 0 ? null : signing_alg;
}

/** Tells of exchanges outside the path of the request. */
function tellLater(exchanges: ExchangeLog, listener: (exchange: ExchangeSummary) => void) {
  let waiting: CapturedExchange[] = [];
  const tell = () => {
    const told = waiting;
    waiting = [];
    for (const exchange of told) listener(exchangeSummary(exchange));
  };
  return exchanges.onExchange((exchange) => {
    if (waiting.length === 0) setImmediate(tell);
    waiting.push(exchange);
  });
}

/** Wildcards cannot be connected to everywhere. */
function reachable(host: string | undefined): string {
  return host === undefined || ['0.0.0.0', '::', ''].includes(host) ? '127.0.0.1' : host;
}

/**
 * Makes an engine that does not listen yet.
 * @throws WorkspaceError when the workspace or the file of keys cannot be taken
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const {
    host,
    version,
    onFault = (fault: unknown) => {
      console.error(fault);
    },
    random = randomBytes,
  } = options;
  const issuer = options.issuer === undefined ? null : await checkIssuer(options.issuer);
  const closing = new AbortController();
  let workbenchUrl: string | null = null;

  const clock = createClock(options.now ?? Date.now);
  const keyring = createKeyring(clock.now);
  const keys = await createKeys(keyring, {
    file: options.keys_file ?? null,
    onNewKey: () => emit({ type: 'keys' }),
    onFault,
  });
  const begin = (alg: SigningAlg) => {
    // Whoever starts listening waits for the same key, and hears of its failure.
    keys.ensure(alg).catch(() => undefined);
  };
  if (options.workspace === undefined) begin(DEMO_WORKSPACE.settings.signing_alg);

  const emit = (event: DomainEvent) => {
    blocked.event(event);
    feed.event(event);
    workspace.event(event);
  };
  const stores = createMemoryStores(({ id }) => emit({ type: 'ceiling', lineage_id: id }));
  const service = createTokenService(
    { clock, random, sha256, stores, emit },
    {
      settings: DEMO_WORKSPACE.settings,
      keyring,
      defaultIssuer: () => `http://localhost:${lifecycle.now().port}`,
    },
  );
  const { throttle, settings } = service;
  const exchanges = createExchangeLog(() => settings().capture);
  const { capture } = exchanges;
  const blocked = createBlockedCounters(throttle, () => settings().throttle, clock.now);
  const feed = createFeed({
    stopwatch,
    exchange: exchangeSummary,
    counter: (counter) => counterView(counter, settings().throttle, clock.now()),
    totals: () => ({
      exchanges: capture.size,
      exchange_bytes: capture.bytes,
      live_credentials: stores.liveCount(clock.now()),
      counters: throttle.size,
      blocked_counters: blocked.count(),
      requests: capture.total,
    }),
  });
  exchanges.onExchange(feed.exchange);

  const lifecycle = createLifecycle(
    createHttpServer({
      service,
      capture,
      version,
      stopwatch,
      onFault,
      host: host ?? null,
      workbenchUrl: () => workbenchUrl,
      reservedPorts: () => options.reserved_ports ?? [],
    }),
    options.port,
    () => keys.ensure(settings().signing_alg),
    () => feed.changed('server'),
  );
  const workspace = createWorkspaceKeeper({
    service,
    keys,
    issuer,
    file:
      options.workspace === undefined
        ? null
        : createSavedFile({ ...options.workspace, onState: () => feed.changed('server') }),
  });
  await workspace.open((data) => {
    const alg = neededAlg(data);
    if (alg !== null) begin(alg as SigningAlg);
  });
  const server = (): ServerState => ({
    ...lifecycle.now(),
    issuer: service.issuer(),
    token_endpoint: `${service.issuer()}/oauth/token`,
    version,
    workspace: workspace.state(),
  });
  const parts: EngineParts = {
    service,
    exchanges,
    feed,
    keys,
    workspace,
    server,
    onFault,
    closing: closing.signal,
    address: () => {
      const { state, port } = lifecycle.now();
      return state === 'running' ? { host: reachable(host), port } : null;
    },
    start: async (port) => {
      await lifecycle.start(port);
      return server();
    },
    stop: lifecycle.stop,
    reset: () => {
      capture.clear();
      clock.reset();
      service.reset();
    },
  };
  return {
    service,
    onFault,
    server,
    start: parts.start,
    stop: parts.stop,
    close: async () => {
      closing.abort();
      await lifecycle.stop();
      await workspace.flush();
      feed.close();
    },
    setWorkbenchUrl: (url) => {
      workbenchUrl = url;
    },
    getRouter: lazily(async () => {
      const { createRouter } = await import('./handlers/index.ts');
      return createRouter(parts);
    }),
    onExchange: (listener) => tellLater(exchanges, listener),
  };
}
