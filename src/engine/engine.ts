// The engine: the token service with its sockets, its workspace and its feed, as one thing that the
// shells hold. It is loaded before the first token can be had, so whatever only control needs (schemas,
// oRPC, WebSockets, writing files) is imported when first used.

import { createHash, hash, randomBytes } from 'node:crypto';
import type { ExchangeSummary, ServerState } from '../control/schemas.ts';
import type { Clock } from '../core/clock.ts';
import { createClock } from '../core/clock.ts';
import type { Random, Sha256 } from '../core/ports.ts';
import type { SigningAlg } from '../core/schemas.ts';
import type { TokenService } from '../core/service.ts';
import { createTokenService } from '../core/service.ts';
import type { Keyring } from '../core/signing.ts';
import { createKeyring } from '../core/signing.ts';
import { createMemoryStores } from '../core/stores.ts';
import type { CapturedExchange } from '../server/capture.ts';
import { createHttpServer } from '../server/listen.ts';
import { DEMO_WORKSPACE } from './demo-workspace.ts';
import type { ExchangeLog } from './exchange-log.ts';
import { createExchangeLog } from './exchange-log.ts';
import { exchangeSummary } from './exchange-view.ts';
import type { Router } from './handlers/index.ts';
import { createKeys } from './keys.ts';
import { lazily } from './lazily.ts';
import { createLifecycle } from './lifecycle.ts';
import type { EngineParts } from './parts.ts';
import type { Events } from './watch.ts';
import { createEvents, watch } from './watch.ts';
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
  readonly start: (port?: number) => Promise<ServerState>;
  /** Finishes the requests in flight and closes the sockets. */
  readonly stop: () => Promise<void>;
  /** Stops, saves what is to be saved, ends every feed. */
  readonly close: () => Promise<void>;
  readonly server: () => ServerState;
  /** Where the workbench is, as the landing page shows it; without token. */
  readonly setWorkbenchUrl: (url: string | null) => void;
  /** The control operations; loaded at the first call. */
  readonly getRouter: () => Promise<Router>;
  readonly onFault: (fault: unknown) => void;
  /** Told of every exchange, soon after its answer went out. */
  readonly onExchange: (listener: (exchange: ExchangeSummary) => void) => () => void;
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

function tellFault(fault: unknown): void {
  const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
  process.stderr.write(`grantbench: ${text}\n`);
}

function createService(
  options: EngineOptions,
  keyring: Keyring,
  clock: Clock,
  { emit }: Events,
  port: () => number,
): TokenService {
  const stores = createMemoryStores(({ id }) => {
    emit({ type: 'ceiling', lineage_id: id });
  });
  return createTokenService(
    { clock, random: options.random ?? randomBytes, sha256, stores, emit },
    {
      settings: DEMO_WORKSPACE.settings,
      keyring,
      defaultIssuer: () => `http://localhost:${port()}`,
    },
  );
}

/** Puts the parts together; nothing is read and nobody listens yet. */
async function assemble(options: EngineOptions, workbenchUrl: () => string | null) {
  const { host, version, onFault = tellFault } = options;
  const issuer = options.issuer === undefined ? null : await checkIssuer(options.issuer);
  const events = createEvents();
  const clock = createClock(options.now ?? Date.now);
  const keyring = createKeyring(() => clock.now());
  const keys = await createKeys(keyring, {
    file: options.keys_file ?? null,
    onNewKey: () => {
      events.emit({ type: 'keys' });
    },
    onFault,
  });
  if (options.workspace === undefined) keys.begin(DEMO_WORKSPACE.settings.signing_alg);

  const service = createService(options, keyring, clock, events, () => lifecycle.now().port);
  const exchanges = createExchangeLog(() => service.settings().capture);
  const feed = watch(service, exchanges, events, stopwatch);
  const serverChanged = () => {
    feed.changed('server');
  };
  const http = createHttpServer({
    service,
    capture: exchanges.capture,
    version,
    stopwatch,
    onFault,
    host: host ?? null,
    workbenchUrl,
    reservedPorts: () => options.reserved_ports ?? [],
  });
  const lifecycle = createLifecycle(
    http,
    options.port,
    () => keys.ensure(service.settings().signing_alg),
    serverChanged,
  );
  const file =
    options.workspace === undefined
      ? null
      : createSavedFile({ ...options.workspace, onState: serverChanged });
  const workspace = createWorkspaceKeeper({ service, keys, issuer, file });
  events.listen(workspace.event);
  return { service, clock, keys, exchanges, feed, lifecycle, workspace, onFault };
}

/**
 * Makes an engine that does not listen yet.
 * @throws WorkspaceError when the workspace or the file of keys cannot be taken
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  let workbenchUrl: string | null = null;
  const closing = new AbortController();
  const { clock, lifecycle, ...made } = await assemble(options, () => workbenchUrl);
  const { service, keys, exchanges, feed, workspace } = made;
  await workspace.open((data) => {
    const alg = neededAlg(data);
    if (alg !== null) keys.begin(alg as SigningAlg);
  });

  const parts: EngineParts = {
    ...made,
    closing: closing.signal,
    server: () => ({
      ...lifecycle.now(),
      issuer: service.issuer(),
      token_endpoint: `${service.issuer()}/oauth/token`,
      version: options.version,
      workspace: workspace.state(),
    }),
    address: () => {
      const { state, port } = lifecycle.now();
      return state === 'running' ? { host: reachable(options.host), port } : null;
    },
    start: async (port) => {
      await lifecycle.start(port);
      return parts.server();
    },
    stop: lifecycle.stop,
    reset: () => {
      exchanges.capture.clear();
      clock.reset();
      service.reset();
    },
  };
  return {
    service,
    server: parts.server,
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
    onFault: made.onFault,
    onExchange: (listener) => tellLater(exchanges, listener),
  };
}
