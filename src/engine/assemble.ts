// Puts an engine's parts together, each handed what it needs of the others.

import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { createClock } from '../core/clock.ts';
import type { Sha256 } from '../core/ports.ts';
import type { TokenService } from '../core/service.ts';
import { createTokenService } from '../core/service.ts';
import type { Keyring } from '../core/signing.ts';
import { createKeyring } from '../core/signing.ts';
import { createMemoryStores } from '../core/stores.ts';
import { createHttpServer } from '../server/listen.ts';
import { createAdvisoryLog } from './advisory-log.ts';
import { DEMO_WORKSPACE } from './demo-workspace.ts';
import { createExchangeLog } from './exchange-log.ts';
import { createKeys } from './keys.ts';
import { createLifecycle } from './lifecycle.ts';
import type { EngineOptions } from './parts.ts';
import type { Events } from './watch.ts';
import { createEvents, watch } from './watch.ts';
import { createSavedFile } from './workspace-file.ts';
import { createWorkspaceKeeper } from './workspace-keeper.ts';
import { checkIssuer } from './workspace.ts';

const sha256: Sha256 = (text) => hash('sha256', text, 'base64url');

const stopwatch = () => performance.now();

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
  const scheme = options.tls === undefined ? 'http' : 'https';
  const stores = createMemoryStores({
    onCeiling: ({ id }) => {
      emit({ type: 'ceiling', lineage_id: id });
    },
  });
  return createTokenService(
    { clock, random: options.random ?? randomBytes, sha256, stores, emit },
    {
      settings: DEMO_WORKSPACE.settings,
      keyring,
      defaultIssuer: () => `${scheme}://localhost:${port()}`,
    },
  );
}

/** Nobody listens yet, and the workspace is not read. @throws WorkspaceError for the file of keys */
export async function assemble(options: EngineOptions, workbenchUrl: () => string | null) {
  const { host, tls, version, onFault = tellFault } = options;
  if (tls !== undefined) (await import('./certificate.ts')).checkCertificate(tls);
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
  const advisories = createAdvisoryLog(() => {
    feed.changed('advisories');
  });
  exchanges.onExchange(advisories.exchange);
  events.listen(({ type }) => {
    if (type === 'reset') advisories.clear();
  });
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
    tls,
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
  return { service, clock, keys, exchanges, advisories, feed, lifecycle, workspace, onFault };
}
