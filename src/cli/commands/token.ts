// `grantbench token`: a whole grant, from what it presents to the answer of the token endpoint.

import { Option, type Command } from 'commander';
import { createProofKey } from '../../oauth/dpop-proof.ts';
import { withControl } from '../instance/connect.ts';
import { GROUPS } from './command.ts';
import { begin, connected } from './connection.ts';
import { authorizing } from './grant/flags.ts';
import type { GrantName, GrantOptions } from './grant/grants.ts';
import { GRANTS } from './grant/grants.ts';
import { clientOf } from './grant/parties.ts';
import { tellAnswer } from './grant/token-request.ts';

interface TokenOptions extends Omit<GrantOptions, 'proofKey'> {
  readonly grant: GrantName;
  readonly dpop?: boolean;
  readonly explain?: boolean;
}

async function runGrant(options: TokenOptions): Promise<void> {
  await begin();
  await withControl(options, async (control) => {
    const client = await clientOf(control, options.clientId);
    const proofKey = options.dpop ? await createProofKey() : null;
    const exchange = await GRANTS[options.grant](control, client, { ...options, proofKey });
    tellAnswer(exchange, options, proofKey);
  });
}

const EXAMPLES = `  grantbench token                              code and exchange for the first client and user
  grantbench token --explain                    with every check of the request
  grantbench token --json | jq -r .access_token
  grantbench token --grant client_credentials --client-id worker
  grantbench token --grant token-exchange --client-id orders --audience https://billing.example/api
  grantbench token --grant jwt-bearer --client-id worker --assertion "$(cat assertion.jwt)"
  grantbench token --grant password --client-id legacy --username ada --password "$PASSWORD"
  grantbench token --scope "openid email" --pkce
  grantbench token --dpop                       bound to a new key (profile interop)

The request goes to the token endpoint over HTTP and appears in traffic like any other.`;

export function declare(program: Command): void {
  const command = program
    .command('token')
    .helpGroup(GROUPS.tokens)
    .description('run a complete grant at the token endpoint and print the response');
  authorizing(command)
    .addOption(
      new Option('--grant <type>', 'the grant to run')
        .choices(Object.keys(GRANTS))
        .default('authorization_code'),
    )
    .option('--pkce', 'use PKCE S256 (a client without a secret always does)')
    .option(
      '--dpop',
      'make a key for this call and send a DPoP proof of it (profile interop; RFC 9449)',
    )
    .option(
      '--subject-token <token>',
      'token-exchange: the access token to exchange (default: a new one of the user)',
    )
    .option('--actor-token <token>', 'token-exchange: the access token of the party that acts')
    .option('--assertion <jwt>', 'jwt-bearer: the assertion, which the client has signed')
    .option('--username <name>', 'password: sub or e-mail address of the user (default: --user)')
    .option('--password <text>', 'password: the password of the user, if one is set')
    .option(
      '--explain',
      'print the trace: the verdict of each check with expected and actual value',
    );
  connected(command, EXAMPLES).action(runGrant);
}
