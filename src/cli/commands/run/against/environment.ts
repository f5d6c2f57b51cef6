// The credentials of a run against a provider. They come from environment variables: the command line of a process can
// be read by other users, and a scenario is shared.

import { CommandError } from '../../../command-error.ts';

export interface RunCredentials {
  readonly client_id: string;
  /** null for a public client. */
  readonly client_secret: string | null;
  /** null without one: steps that send the name and password of a user are skipped. */
  readonly user: { readonly name: string; readonly password: string } | null;
}

const NAMES = {
  client_id: 'GRANTBENCH_AGAINST_CLIENT_ID',
  client_secret: 'GRANTBENCH_AGAINST_CLIENT_SECRET',
  username: 'GRANTBENCH_AGAINST_USERNAME',
  password: 'GRANTBENCH_AGAINST_PASSWORD',
} as const;

/** @throws CommandError where there is no client */
export function credentialsOfRun(environment: NodeJS.ProcessEnv): RunCredentials {
  const valueOf = (name: keyof typeof NAMES) => environment[NAMES[name]] || null;
  const client_id = valueOf('client_id');
  if (client_id === null) {
    throw new CommandError(
      2,
      `${NAMES.client_id} is not set. Register a client at the provider, and set ${NAMES.client_id} and, unless it is public, ${NAMES.client_secret}.`,
    );
  }
  const [name, password] = [valueOf('username'), valueOf('password')];
  const user = name === null || password === null ? null : { name, password };
  return { client_id, client_secret: valueOf('client_secret'), user };
}
