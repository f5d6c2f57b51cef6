// `grantbench serve`: its flags.

import type { Command } from 'commander';
import { GROUPS, type Build } from './command.ts';
import { resolveServe, serveOptions, type GivenServe } from './serve/options.ts';

const HELP = `
Examples:
  grantbench serve                              on ports 4280 and 4281
  grantbench serve --port 0 --control-port 0 --json --quiet
                                                for a test: free ports, one line of JSON
  grantbench serve --workspace team.json --save keep changes in a file
  grantbench serve --keep tokens.json           access tokens remain valid after a restart
  grantbench serve --shape keycloak             with the paths, claims and errors of Keycloak
  grantbench serve --https                      with a generated certificate; prints how to trust it
  grantbench serve --host 0.0.0.0 --issuer http://sandbox.test:4280 \\
    --control-host 0.0.0.0 --allow-host sandbox.test
                                                reachable from other machines, with page and control API

With --json the first line on standard output is
  {"event":"ready","issuer":…,"token_endpoint":…,"control":{"url":…,"token":…}}
and over HTTPS also has "certificate":<file>. Nothing else is printed to standard output. Exchanges are logged to
standard error, one line each.

GRANTBENCH_CONTROL_TOKEN sets the control token, so that tabs and scripts keep access after a restart. Otherwise each
start generates a new control token. GRANTBENCH_ISSUER is ignored if GRANTBENCH_TOKEN_ENDPOINT is set: both then
describe a sandbox that is already running, as for a command under exec.`;

export function declare(program: Command, build: Build): void {
  const command = program
    .command('serve')
    .helpGroup(GROUPS.run)
    .allowExcessArguments(false)
    .description('run the authorization server without a window')
    .addHelpText('after', HELP);
  for (const option of serveOptions()) command.addOption(option);
  command.action(async (given: GivenServe) => {
    const options = resolveServe(command, given);
    const { serve } = await import('./serve/run-server.ts');
    await serve(options, build);
  });
}
