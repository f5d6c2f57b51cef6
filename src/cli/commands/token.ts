// `grantbench token`: runs a complete grant and prints the response of the token endpoint. Each grant is a list of
// scenario steps: those that get the credential, and the token request.

import { Option, type Command } from 'commander';
import type { ControlClient } from '../../control/contract.ts';
import type { Client } from '../../control/schemas.ts';
import { JWT_BEARER_GRANT, TOKEN_EXCHANGE_GRANT, TOKEN_TYPES } from '../../oauth/token-request.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';
import { CommandError } from '../command-error.ts';
import {
  audienceOf,
  type Authorization,
  authorizing,
  clientOf,
  redirectUriOf,
  userOf,
  runSteps,
  printResponse,
} from './grant.ts';
import { withControl } from '../connect.ts';
import { connected, GROUPS } from './command.ts';
import { given, rejectFlags } from './flag-values.ts';

interface TokenOptions extends Authorization {
  readonly grant: keyof typeof GRANTS;
  readonly dpop?: boolean;
  readonly explain?: boolean;
  readonly pkce?: boolean;
  readonly subjectToken?: string;
  readonly actorToken?: string;
  readonly assertion?: string;
  readonly username?: string;
  readonly password?: string;
}

type StepsOf = (
  control: ControlClient,
  client: Client,
  options: TokenOptions,
) => Promise<readonly ScenarioStep[]>;

const needsPkce = ({ client_secret, token_endpoint_auth_method: method }: Client) =>
  client_secret === null || method === 'none';

const exchangeCode: StepsOf = async (control, client, options) => {
  const audience = await audienceOf(control, client, options.audience);
  const order = {
    redirect_uri: redirectUriOf(client, options.redirectUri),
    audience: audience ?? null,
    ...given({
      user: options.user,
      scope: options.scope,
      access_token_expires_in: options.expiresIn,
      pkce: options.pkce === true || needsPkce(client) ? ('S256' as const) : undefined,
    }),
  };
  // Without --audience, both steps use the client's default audience.
  const fields = { audience: audience ?? null };
  return [{ issue_code: order }, { token: { grant: 'authorization_code', fields } }];
};

const requestOwn: StepsOf = async (control, client, options) => {
  const audience = await audienceOf(control, client, options.audience);
  const fields = { audience: audience ?? null, ...given({ scope: options.scope }) };
  return [{ token: { grant: 'client_credentials', fields } }];
};

/** Without --subject-token, the first step issues one for the user. */
const exchangeToken: StepsOf = (_control, _client, options) => {
  const { subjectToken, actorToken, audience, scope, user } = options;
  const issued: ScenarioStep[] =
    subjectToken === undefined ? [{ issue_tokens: given({ user }) }] : [];
  const actor =
    actorToken === undefined
      ? {}
      : { actor_token: actorToken, actor_token_type: TOKEN_TYPES.access_token };
  const fields = { ...given({ subject_token: subjectToken, audience, scope }), ...actor };
  return Promise.resolve([...issued, { token: { grant: TOKEN_EXCHANGE_GRANT, fields } }]);
};

/** Only the client has the key that signs assertions. */
const presentAssertion: StepsOf = (_control, _client, { assertion, audience, scope }) => {
  if (assertion === undefined) {
    const message =
      'The jwt-bearer grant needs an assertion that the client has signed. Set it with --assertion.';
    throw new CommandError(2, message);
  }
  const fields = { assertion, ...given({ audience, scope }) };
  return Promise.resolve([{ token: { grant: JWT_BEARER_GRANT, fields } }]);
};

/** Sent for a user without a password, for whom the grant accepts any password. */
const ANY_PASSWORD = 'any-password';

/**
 * Returns the name and password of the given user, or of the first one. The API never returns a password that is set,
 * so --password must give it.
 */
const signInWithPassword: StepsOf = async (control, client, options) => {
  const { scope, user, password } = options;
  const known = await userOf(control, user);
  const username = options.username ?? known.sub;
  if (password === undefined && (options.username !== undefined || known.has_password)) {
    throw new CommandError(
      2,
      `The password grant needs the password of ${username}. Set it with --password.`,
    );
  }
  const audience = await audienceOf(control, client, options.audience);
  const fields = { username, password: password ?? ANY_PASSWORD, ...given({ audience, scope }) };
  return [{ token: { grant: 'password', fields } }];
};

/** By the name in `--grant`: a grant type, or the last part of a URN. */
const GRANTS = {
  authorization_code: exchangeCode,
  client_credentials: requestOwn,
  'token-exchange': exchangeToken,
  'jwt-bearer': presentAssertion,
  password: signInWithPassword,
} as const satisfies Readonly<Record<string, StepsOf>>;

/** Flags that only some grants use. */
const GRANTS_OF: Readonly<Record<string, readonly TokenOptions['grant'][]>> = {
  user: ['authorization_code', 'token-exchange', 'password'],
  redirectUri: ['authorization_code'],
  expiresIn: ['authorization_code'],
  pkce: ['authorization_code'],
  subjectToken: ['token-exchange'],
  actorToken: ['token-exchange'],
  assertion: ['jwt-bearer'],
  username: ['password'],
  password: ['password'],
};

async function runGrant(options: TokenOptions, command: Command): Promise<void> {
  const { grant } = options;
  const useless = Object.keys(GRANTS_OF).filter((name) => !GRANTS_OF[name]?.includes(grant));
  rejectFlags(command, useless, `has no effect with --grant ${grant}.`);
  await withControl(options, async (control) => {
    const client = await clientOf(control, options.clientId);
    const steps = await GRANTS[grant](control, client, options);
    const { exchange, jkt } = await runSteps(control, client, steps, options.dpop);
    printResponse(exchange, options, jkt);
  });
}

const EXAMPLES = `  grantbench token                              authorization code grant for the first client and user
  grantbench token --explain                    with every check of the request
  grantbench token --json | jq -r .access_token
  grantbench token --grant client_credentials --client-id worker
  grantbench token --grant token-exchange --client-id orders --audience https://billing.example/api
  grantbench token --grant jwt-bearer --client-id worker --assertion "$(cat assertion.jwt)"
  grantbench token --grant password --client-id legacy --username ada --password "$PASSWORD"
  grantbench token --scope "openid email" --pkce
  grantbench token --dpop                       bound to a new key (profile interop)

The request is sent to the token endpoint over HTTP and is listed by grantbench traffic like any other.`;

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
    .option('--dpop', 'generate a key and send a DPoP proof of it (profile interop; RFC 9449)')
    .addOption(
      new Option(
        '--subject-token <token>',
        'token-exchange: the access token to exchange (default: a new one of the user)',
      ).conflicts('user'),
    )
    .option('--actor-token <token>', 'token-exchange: the access token of the acting party')
    .option('--assertion <jwt>', 'jwt-bearer: an assertion that the client has signed')
    .addOption(
      new Option(
        '--username <name>',
        'password: sub or e-mail address of the user (default: --user)',
      ).conflicts('user'),
    )
    .option('--password <text>', 'password: the password of the user, if one is set')
    .option(
      '--explain',
      'print the trace: the verdict of each check with the expected and actual value',
    );
  connected(command, EXAMPLES).action(runGrant);
}
