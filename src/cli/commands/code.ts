// `grantbench code`: issues an authorization code.

import type { Command } from 'commander';
import type { ControlClient } from '../../control/contract.ts';
import { withControl } from '../connect.ts';
import { print, printJson } from '../terminal/print.ts';
import { rows } from '../terminal/table.ts';
import { connected, GROUPS } from './command.ts';
import { given, parseWhole } from './flag-values.ts';
import {
  audienceOf,
  type Authorization,
  authorizing,
  clientOf,
  redirectUriOf,
  remarkIgnoredScopes,
} from './grant.ts';

interface CodeOptions extends Authorization {
  readonly state?: string;
  readonly nonce?: string;
  readonly codeChallenge?: string;
  readonly codeChallengeMethod?: 'S256' | 'plain';
  readonly codeExpiresIn?: number;
}

async function order(control: ControlClient, options: CodeOptions) {
  const client = await clientOf(control, options.clientId);
  return {
    client_id: client.client_id,
    redirect_uri: redirectUriOf(client, options.redirectUri),
    ...given({
      sub: options.user,
      audience: await audienceOf(control, client, options.audience),
      scope: options.scope,
      state: options.state,
      nonce: options.nonce,
      code_challenge: options.codeChallenge,
      code_challenge_method: options.codeChallengeMethod,
      code_expires_in: options.codeExpiresIn,
      access_token_expires_in: options.expiresIn,
    }),
  };
}

async function issueCode(options: CodeOptions): Promise<void> {
  await withControl(options, async (control) => {
    const wanted = await order(control, options);
    const issued = await control.codes.create(wanted);
    const { code, redirect_to, expires_at, scope, lineage_id } = issued;
    if (options.json) printJson(issued);
    else
      print(
        rows([
          ['code', { text: code, style: 'bold' }],
          ['redirect_to', redirect_to],
          ['expires_at', expires_at],
          ['client_id', wanted.client_id],
          ['scope', scope ?? ''],
          ['lineage_id', lineage_id],
        ]),
      );
    remarkIgnoredScopes(options.scope, scope);
  });
}

const EXAMPLES = `  grantbench code                               for the first client and user
  grantbench code --client-id demo-app --scope "openid orders:read"
  grantbench code --code-expires-in 5           a code that expires soon
  grantbench code --json | jq -r .code`;

export function declare(program: Command): void {
  const command = program
    .command('code')
    .helpGroup(GROUPS.tokens)
    .description('issue an authorization code, as if a user had signed in');
  authorizing(command)
    .option('--state <text>', 'state to include in the authorization response')
    .option('--nonce <text>', 'nonce for the ID token')
    .option('--code-challenge <text>', 'PKCE challenge (RFC 7636)')
    .option('--code-challenge-method <method>', 'S256 or plain')
    .option('--code-expires-in <seconds>', 'lifetime of the code', parseWhole(1));
  connected(command, EXAMPLES).action(issueCode);
}
