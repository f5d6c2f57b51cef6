// Starts a sandbox in this process.

import { createEngine } from '../engine/engine.ts';
import type { Grantbench } from './grantbench.ts';
import type { GrantbenchOptions } from './options.ts';
import { readOptions } from './read-options.ts';
import { createSandbox } from './sandbox.ts';

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
