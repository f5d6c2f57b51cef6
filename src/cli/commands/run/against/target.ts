// The provider that `run --against` names, with the credentials of the run.

import { readKnownProvider } from '../../../../engine/provider/known-provider.ts';
import { ProviderError } from '../../../../engine/provider/provider-error.ts';
import { CommandError } from '../../../command-error.ts';
import { tame } from '../../../terminal/print.ts';
import { showInBrowser } from './browser.ts';
import type { Target } from './compare.ts';
import { credentialsOfRun } from './environment.ts';

export interface AgainstOptions {
  /** The issuer of the provider that scenarios are run at; null for none. */
  readonly against: string | null;
  /** Whether its answers are compared with those of a sandbox. */
  readonly compare: boolean;
  /** The redirect URI that a browser comes back to; null where nobody signs in. */
  readonly signIn: string | null;
  readonly allowDestructive: boolean;
  readonly allowOrigin: readonly string[];
  readonly allowAddress: readonly string[];
}

/** @throws CommandError where it cannot be used */
export async function openTarget(issuer: string, options: AgainstOptions): Promise<Target> {
  const { compare, allowDestructive, allowOrigin, allowAddress, signIn } = options;
  const credentials = credentialsOfRun(process.env);
  try {
    const provider = await readKnownProvider(issuer, { named: allowAddress, origins: allowOrigin });
    const sign_in = signIn === null ? null : { redirect_uri: signIn, show: showInBrowser };
    return { provider, credentials, sign_in, compare, allow_destructive: allowDestructive };
  } catch (error) {
    if (error instanceof ProviderError) throw new CommandError(2, tame(error.message));
    throw error;
  }
}
