// `grantbench code`: a code as an authorization response would carry it.

import type { ControlClient } from '../../control/client.ts';
import type { Authorization } from '../commands/grant-flags.ts';
import { withControl } from '../instance/connect.ts';
import { print, printJson } from '../terminal/print.ts';
import { rows } from '../terminal/table.ts';
import { audienceOf, clientOf, redirectUriOf } from './parties.ts';

export interface CodeOptions extends Authorization {
  readonly state?: string;
  readonly nonce?: string;
  readonly codeChallenge?: string;
  readonly codeChallengeMethod?: 'S256' | 'plain';
  readonly codeExpiresIn?: number;
}

/** Members that were given; the others are left out. */
export function given<T extends Record<string, unknown>>(members: T) {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
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

export async function issueCode(options: CodeOptions): Promise<void> {
  await withControl(options, async (control) => {
    const wanted = await order(control, options);
    const issued = await control.codes.create(wanted);
    if (options.json) {
      printJson(issued);
      return;
    }
    const { code, redirect_to, expires_at, lineage_id } = issued;
    print(
      rows([
        ['code', { text: code, style: 'bold' }],
        ['redirect_to', redirect_to],
        ['expires_at', expires_at],
        ['client_id', wanted.client_id],
        ['lineage_id', lineage_id],
      ]),
    );
  });
}
