// `grantbench token`: a whole grant, from the code to the answer of the token endpoint.

import { Option, type Command } from 'commander';
import type { ControlClient } from '../../control/client.ts';
import type { Client, Exchange } from '../../control/schemas.ts';
import { createPkcePair } from '../../oauth/pkce.ts';
import { clientCredentialsFields, exchangeFields } from '../../oauth/token-request.ts';
import { withControl } from '../instance/connect.ts';
import { GROUPS } from './command.ts';
import { begin, connected } from './connection.ts';
import { authorizing, type Authorization } from './grant/flags.ts';
import { audienceOf, clientOf, given, redirectUriOf } from './grant/parties.ts';
import { requestToken, tellAnswer } from './grant/token-request.ts';

interface TokenOptions extends Authorization {
  readonly grant: 'authorization_code' | 'client_credentials';
  readonly pkce?: boolean;
  readonly explain?: boolean;
}

const needsPkce = ({ client_secret, token_endpoint_auth_method: method }: Client) =>
  client_secret === null || method === 'none';

async function exchangeCode(
  control: ControlClient,
  client: Client,
  options: TokenOptions,
): Promise<Exchange> {
  const { client_id } = client;
  const redirect_uri = redirectUriOf(client, options.redirectUri);
  const audience = await audienceOf(control, client, options.audience);
  const pkce = options.pkce || needsPkce(client) ? await createPkcePair() : null;
  const { code } = await control.codes.create({
    client_id,
    redirect_uri,
    ...given({
      sub: options.user,
      audience,
      scope: options.scope,
      access_token_expires_in: options.expiresIn,
    }),
    ...pkce?.challenge,
  });
  const more = given({ audience, code_verifier: pkce?.verifier });
  return requestToken(control, client, (credentials) =>
    exchangeFields({ ...credentials, code, redirect_uri, ...more }),
  );
}

async function requestOwn(
  control: ControlClient,
  client: Client,
  options: TokenOptions,
): Promise<Exchange> {
  const audience = await audienceOf(control, client, options.audience);
  const asked = given({ audience, scope: options.scope });
  return requestToken(control, client, (credentials) =>
    clientCredentialsFields({ ...credentials, ...asked }),
  );
}

async function runGrant(options: TokenOptions): Promise<void> {
  await begin();
  await withControl(options, async (control) => {
    const client = await clientOf(control, options.clientId);
    const own = options.grant === 'client_credentials';
    const exchange = await (own ? requestOwn : exchangeCode)(control, client, options);
    tellAnswer(exchange, options);
  });
}

const EXAMPLES = `  grantbench token                              code and exchange for the first client and user
  grantbench token --explain                    with every check of the request
  grantbench token --json | jq -r .access_token
  grantbench token --grant client_credentials --client-id worker
  grantbench token --scope "openid email" --pkce

The request goes to the token endpoint over HTTP and appears in traffic like any other.`;

export function declare(program: Command): void {
  const command = program
    .command('token')
    .helpGroup(GROUPS.tokens)
    .description('run a complete grant at the token endpoint and print the response');
  authorizing(command)
    .addOption(
      new Option('--grant <type>', 'the grant to run')
        .choices(['authorization_code', 'client_credentials'])
        .default('authorization_code'),
    )
    .option('--pkce', 'use PKCE S256 (a client without a secret always does)')
    .option(
      '--explain',
      'print the trace: the verdict of each check with expected and actual value',
    );
  connected(command, EXAMPLES).action(runGrant);
}
