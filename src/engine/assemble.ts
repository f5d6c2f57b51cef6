// Assembles the parts of an engine and passes each the parts that it needs.

import { isLoopbackHost } from '../control/names.ts';
import { hash, randomBytes } from 'node:crypto';
import { lineageId } from '../core/model/credentials.ts';
import { type Clock, createClock } from '../core/model/clock.ts';
import { createDenials, type Denials } from '../core/stores/denials.ts';
import type { FetchDocument, Sha256, Sha512 } from '../core/model/ports.ts';
import { createTokenService, type TokenService } from '../core/service.ts';
import { createMemoryStores } from '../core/stores/memory-stores.ts';
import type { Redactor } from '../redact/redactor.ts';
import { createHolds } from '../server/faults/held-exchanges.ts';
import { createHttpServer, type ListenAddress } from '../server/listen.ts';
import { type AdvisoryLog, createAdvisoryLog } from './exchanges/advisory-log.ts';
import { DEMO_WORKSPACE } from './workspace/demo.ts';
import { createDurableStore } from './kept/durable-store.ts';
import { createExchangeLog, type ExchangeLog } from './exchanges/log.ts';
import type { Feed } from './feed/batches.ts';
import type { PersistedState } from './kept/persisted-state.ts';
import { traceOf } from './errors.ts';
import { createJwsSigner, generateSigningKey } from './key-material.ts';
import { createKeys } from './signing-keys.ts';
import { createLifecycle } from './lifecycle.ts';
import type { EngineOptions } from './parts.ts';
import { createRedaction } from './exchanges/exchange-redactor.ts';
import { createEvents, type Events, watch } from './feed/watch.ts';
import { createSaved } from './workspace/saved-by-name.ts';
import { createWorkspaceKeeper } from './workspace/active-workspace.ts';
import { checkIssuer } from './workspace/document.ts';

const sha256: Sha256 = (text) => hash('sha256', text, 'base64url');
const sha512: Sha512 = (text) => hash('sha512', text, 'base64url');

/** Not performance.now(), because its first use loads a module and would delay the first request. */
function stopwatch(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** The message may contain received text, so it is escaped. */
const faultReporter =
  ({ words }: Redactor) =>
  (fault: unknown): void => {
    process.stderr.write(`grantbench: ${words(traceOf(fault))}\n`);
  };

interface ServiceParts {
  readonly clock: Clock;
  readonly denials: Denials;
  readonly events: Events;
  /** The address it listens on now. */
  readonly at: () => ListenAddress;
  /** The ports of this process. */
  readonly ports: () => readonly number[];
  /** Waits until revocations are on disk; null if none are pending. */
  readonly synced: () => Promise<void> | null;
}

function createService(
  options: EngineOptions,
  { clock, denials, events: { emit }, at, ports, synced }: ServiceParts,
): TokenService {
  const memory = createMemoryStores({
    onCeiling: (lineage) => {
      emit({ type: 'ceiling', lineage_id: lineageId(lineage) });
    },
    denials,
  });
  const stores = options.keep_file === undefined ? memory : createDurableStore(memory, synced);
  let fetcher: Promise<FetchDocument> | undefined;
  /** Loaded when a client has a document: a start needs none of it. */
  const fetchDocument: FetchDocument = async (...document) => {
    fetcher ??= import('./provider/documents.ts').then(({ createDocumentFetcher }) =>
      createDocumentFetcher(ports),
    );
    return (await fetcher)(...document);
  };
  return createTokenService(
    {
      clock,
      random: options.random ?? randomBytes,
      sha256,
      sha512,
      createSigner: createJwsSigner,
      generateKey: generateSigningKey,
      fetchDocument,
      stores,
      emit,
    },
    {
      settings: DEMO_WORKSPACE.settings,
      defaultIssuer: () => `http${at().https ? 's' : ''}://localhost:${at().port}`,
      isLocal: () => isLoopbackHost(at().host ?? 'localhost'),
    },
  );
}

const portsOf = (own: number, workbench: string | null): number[] =>
  workbench === null ? [own] : [own, Number(new URL(workbench).port)];

function logAdvisories(
  exchanges: ExchangeLog,
  feed: Feed,
  events: Events,
  { registry }: TokenService,
): AdvisoryLog {
  const advisories = createAdvisoryLog(() => {
    feed.changed('advisories');
  });
  exchanges.onExchange(advisories.exchange);
  events.listen(({ type }) => {
    if (type === 'reset') advisories.clear();
  });
  registry.onRemoved((ended) => {
    advisories.forgetCounts(ended.map(({ client_id }) => client_id));
  });
  return advisories;
}

/**
 * Creates an engine that is not listening and has not read its workspace.
 * @throws WorkspaceError if the --keep file is invalid
 */
export async function assemble(options: EngineOptions, workbenchUrl: () => string | null) {
  const { host = null, port, version } = options;
  let { tls } = options;
  if (tls !== undefined) (await import('./certificate.ts')).checkCertificate(tls);
  const issuer = options.issuer === undefined ? null : await checkIssuer(options.issuer);
  const events = createEvents();
  const clock = createClock(options.now ?? Date.now);
  let persisted: PersistedState | null = null;
  const denials = createDenials(undefined, (entry) => persisted?.denied(entry));
  const synced = () => persisted?.synced() ?? null;
  const at = () => lifecycle.now();
  const ownPorts = () => portsOf(at().port, workbenchUrl());
  const service = createService(options, { clock, denials, events, at, ports: ownPorts, synced });
  const redaction = createRedaction(service, events.listen);
  const { onFault = faultReporter(redaction) } = options;
  const keys = createKeys(service, { workspace_saved: options.workspace?.save === true });
  const { isFiled } = keys;
  const base = options.base ?? DEMO_WORKSPACE;
  const exchanges = createExchangeLog(() => service.settings().capture);
  const feed = watch(service, exchanges, events, redaction, stopwatch);
  if (options.keep_file !== undefined) {
    const file = options.keep_file;
    const { createPersistedState } = await import('./kept/persisted-state.ts');
    const onState = () => feed.changed('server');
    const of = { file, onState, onFault };
    persisted = createPersistedState({ ...of, service, denials, isFiled, stopwatch });
    await persisted.open();
    events.listen(persisted.event);
  }
  const advisories = logAdvisories(exchanges, feed, events, service);
  const address = createAddressWatch(() => `${service.issuer()} ${lifecycle.now().port}`);
  events.listen(({ type }) => {
    if (type === 'settings' || type === 'reset') address.check();
  });
  const serverChanged = () => {
    feed.changed('server');
    address.check();
  };
  const ownStates = new Set<string>();
  const holds = createHolds(() => {
    feed.changed('holds');
  });
  events.listen(({ type }) => {
    if (type === 'reset') holds.clear();
  });
  const http = createHttpServer({
    ownStates,
    holds,
    service,
    capture: exchanges.capture,
    version,
    stopwatch,
    onFault,
    certificate: async () => {
      tls ??= await (await import('./certificate.ts')).certificateFor(options);
      return tls;
    },
    workbenchUrl,
    reservedPorts: () => options.reserved_ports ?? [],
  });
  const lifecycle = createLifecycle(
    http,
    { port, host, https: options.https ?? tls !== undefined },
    // A start needs a signing key, so generating one begins as soon as the workspace is known.
    () => keys.ensure(service.settings().signing_alg),
    serverChanged,
  );
  const fileOf = async (of: { file: string; save: boolean }) => {
    const { createSavedFile } = await import('./files/saved-file.ts');
    return createSavedFile({ ...of, stopwatch, onState: serverChanged, onTrouble: onFault });
  };
  const file = options.workspace === undefined ? null : await fileOf(options.workspace);
  const saved = createSaved(events.emit);
  const workspace = createWorkspaceKeeper({
    service,
    keys,
    saved,
    issuer,
    file,
    base,
    shape: options.provider === undefined ? null : { provider: options.provider },
    now: options.now ?? Date.now,
  });
  events.listen(workspace.event);
  const flush = async () => {
    await workspace.flush();
    await persisted?.flush();
  };
  const seen = { exchanges, advisories, feed, redaction };
  return {
    service,
    clock,
    keys,
    ...seen,
    lifecycle,
    tls: () => tls,
    workspace,
    saved,
    holds,
    ownStates,
    ownPorts,
    fileOf,
    keepProblem: () => persisted?.problem() ?? null,
    synced,
    listen: events.listen,
    flush,
    end: async () => persisted?.end(),
    onFault,
    onAddress: address.onChange,
  };
}

/** @param address returns the current address of the service as a text */
function createAddressWatch(address: () => string) {
  const listeners = new Set<() => void>();
  let known: string | null = null;
  return {
    /** Calls the listeners if the address has changed. */
    check: () => {
      const now = address();
      if (now === known) return;
      known = now;
      for (const listener of listeners) listener();
    },
    /** @returns a function that unsubscribes */
    onChange: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
