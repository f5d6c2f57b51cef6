// Starts a sandbox in this process.

import { createEngine } from '../engine/engine.ts';
import type { Grantbench } from './grantbench.ts';
import type { GrantbenchOptions } from './options.ts';
import { readOptions } from './read-options.ts';
import { createSandbox } from './sandbox.ts';

/**
 * Starts a token server on a free port of this machine, with everything in memory. Each one has its own
 * clients, keys, clock and counters: start as many side by side as there are suites.
 *
 * @example
 * const grantbench = await startGrantbench();
 * const { code } = await grantbench.issueCode();
 * await grantbench.close();
 *
 * @example
 * await using grantbench = await startGrantbench({ settings: { profile: 'interop' } });
 *
 * @throws TypeError for an unknown option or one of another shape, named by its path
 * @throws WorkspaceError for a workspace or records that break a rule, every problem by its path
 * @throws CertificateError when HTTPS cannot be served with the certificate
 * @throws PortInUseError whose `free_port` is available instead; errors are distinguished by their `name`
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
