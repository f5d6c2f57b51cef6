// Starts a sandbox in this process from the options of a test. Problems are reported with the option's path before
// anything listens. Its control operations are called here as well: no control server is started.

import { LATEST_TIME } from '../control/names.ts';
import { createEngine, type EngineOptions } from '../engine/engine.ts';
import { takeGivenWorkspace } from '../engine/workspace/given.ts';
import { isJsonObject } from '../json.ts';
import type { Grantbench } from './grantbench.ts';
import type { GrantbenchOptions } from './options.ts';
import { createSandbox } from './sandbox.ts';

/** Named in every error. */
const CALLER = 'startGrantbench';

export const KNOWN: readonly string[] = [
  'workspace',
  'clients',
  'users',
  'audiences',
  'apis',
  'settings',
  'shape',
  'port',
  'https',
  'now',
] satisfies (keyof GrantbenchOptions)[];

const wrong = (path: string, rule: string) => new TypeError(`${CALLER}: ${path} ${rule}`);

function checkNames(options: unknown): void {
  if (!isJsonObject(options)) {
    throw new TypeError(`${CALLER}: options must be an object`);
  }
  const unknown = Object.keys(options).find((name) => !KNOWN.includes(name));
  if (unknown === undefined) return;
  throw wrong(unknown, `is not a known option; the options are ${KNOWN.join(', ')}`);
}

function portOf({ port = 0 }: GrantbenchOptions): number {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw wrong('port', 'must be a whole number from 0 to 65535; 0 selects a free port');
}

/** Returns a clock that starts at `now`. */
function machineClock({ now }: GrantbenchOptions): Pick<EngineOptions, 'now'> {
  if (now === undefined) return {};
  const zoned = now instanceof Date || /^\d{4}-\d\d-\d\dT.+(Z|[+-]\d\d:\d\d)$/i.test(now);
  const begin = zoned ? new Date(now).getTime() : Number.NaN;
  if (!(begin >= 0 && begin < LATEST_TIME)) {
    throw wrong('now', 'must be a Date or an RFC 3339 time between the years 1970 and 9900');
  }
  const offset = begin - Date.now();
  return { now: () => Date.now() + offset };
}

async function tlsOf({ https = false }: GrantbenchOptions): Promise<EngineOptions['tls']> {
  if (https === false) return undefined;
  if (https === true) {
    const { makeCertificate } = await import('../engine/certificate.ts');
    return makeCertificate();
  }
  const { cert, key } = Object(https) as { cert?: unknown; key?: unknown };
  if (typeof cert !== 'string' || typeof key !== 'string') {
    throw wrong('https', 'must be true, false, or {cert, key} with both as PEM text');
  }
  return { cert, key };
}

/**
 * Returns the options of the engine.
 * @throws TypeError for an option with the wrong type, WorkspaceError for invalid records
 */
async function readOptions(options: GrantbenchOptions): Promise<EngineOptions> {
  checkNames(options);
  const { workspace, clients, users, audiences, apis, settings, shape: given_shape } = options;
  const port = portOf(options);
  const clock = machineClock(options);
  const tls = await tlsOf(options);
  const shape = typeof given_shape === 'string' ? { provider: given_shape } : given_shape;
  const members = { clients, users, audiences, apis, settings, shape };
  const given = { workspace, members, signing_alg: 'ES256' as const };
  const base = await takeGivenWorkspace(given, CALLER);
  return { version: __APP_VERSION__, port, base, tls, ...clock };
}

/**
 * Starts an authorization server on a free port of this machine, with everything in memory. Each server has its own
 * clients, keys, clock and counters, so that test suites can run in parallel.
 *
 * @example
 * const grantbench = await startGrantbench();
 * const { code } = await grantbench.issueCode();
 * await grantbench.close();
 *
 * @example
 * await using grantbench = await startGrantbench({ settings: { profile: 'interop' } });
 *
 * @throws TypeError for an unknown option or one with the wrong type, named by its path
 * @throws WorkspaceError for an invalid workspace or records, with every problem and its path
 * @throws CertificateError if the certificate cannot be used for HTTPS
 * @throws PortInUseError with a `free_port`; errors are distinguished by their `name`
 */
export async function startGrantbench(options: GrantbenchOptions = {}): Promise<Grantbench> {
  const read = await readOptions(options);
  const engine = await createEngine(read);
  try {
    const server = await engine.start();
    return createSandbox(engine, server, read.tls?.cert ?? null);
  } catch (error) {
    await engine.close();
    throw error;
  }
}
