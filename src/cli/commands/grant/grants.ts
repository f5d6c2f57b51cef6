// The grants that `grantbench token` runs: how each gets what it presents, and what it sends.

import type { ControlClient } from '../../../control/client.ts';
import type { Client, Exchange } from '../../../control/schemas.ts';
import type { ProofKey } from '../../../oauth/dpop-proof.ts';
import { createPkcePair } from '../../../oauth/pkce.ts';
import {
  clientCredentialsFields,
  exchangeFields,
  jwtBearerFields,
  passwordFields,
  tokenExchangeFields,
} from '../../../oauth/token-request.ts';
import { CommandError } from '../../command-error.ts';
import type { Authorization } from './flags.ts';
import { audienceOf, given, redirectUriOf, userOf } from './parties.ts';
import { requestToken } from './token-request.ts';

export interface GrantOptions extends Authorization {
  readonly pkce?: boolean;
  readonly subjectToken?: string;
  readonly actorToken?: string;
  readonly assertion?: string;
  readonly username?: string;
  readonly password?: string;
  /** Proven with the request (RFC 9449); null for a bearer token. */
  readonly proofKey: ProofKey | null;
}

type RunGrant = (
  control: ControlClient,
  client: Client,
  options: GrantOptions,
) => Promise<Exchange>;

const needsPkce = ({ client_secret, token_endpoint_auth_method: method }: Client) =>
  client_secret === null || method === 'none';

const exchangeCode: RunGrant = async (control, client, options) => {
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
  return requestToken(
    control,
    client,
    (credentials) => exchangeFields({ ...credentials, code, redirect_uri, ...more }),
    options.proofKey,
  );
};

const requestOwn: RunGrant = async (control, client, options) => {
  const audience = await audienceOf(control, client, options.audience);
  const asked = given({ audience, scope: options.scope });
  return requestToken(
    control,
    client,
    (credentials) => clientCredentialsFields({ ...credentials, ...asked }),
    options.proofKey,
  );
};

/** Without a subject token, one is issued for the user first. */
const exchangeToken: RunGrant = async (control, client, options) => {
  const { client_id } = client;
  const { subjectToken, actorToken, audience, scope, user } = options;
  const subject_token =
    subjectToken ??
    (await control.tokens.mint({ client_id, ...given({ sub: user }) })).access_token;
  const asked = given({ audience, scope, actor_token: actorToken });
  return requestToken(
    control,
    client,
    (credentials) => tokenExchangeFields({ ...credentials, subject_token, ...asked }),
    options.proofKey,
  );
};

/** Only the client has the key that an assertion is signed with. */
const bearAssertion: RunGrant = async (control, client, options) => {
  const { assertion, audience, scope } = options;
  if (assertion === undefined) {
    const message = 'The jwt-bearer grant needs an assertion, signed by the client: --assertion.';
    throw new CommandError(2, message);
  }
  const asked = given({ audience, scope });
  return requestToken(control, client, (credentials) =>
    jwtBearerFields({ ...credentials, assertion, ...asked }),
  );
};

/** Sent for a user who has no password: the grant accepts any. */
const ANY_PASSWORD = 'any-password';

/** The user that is named, else the first one; a password that is set is never answered, so it must be given. */
const signInWithPassword: RunGrant = async (control, client, options) => {
  const { scope, user, password } = options;
  const known = await userOf(control, user);
  const username = options.username ?? known.sub;
  if (password === undefined && (options.username !== undefined || known.has_password)) {
    throw new CommandError(2, `The password grant needs the password of ${username}: --password.`);
  }
  const audience = await audienceOf(control, client, options.audience);
  const asked = { username, password: password ?? ANY_PASSWORD, ...given({ audience, scope }) };
  return requestToken(
    control,
    client,
    (credentials) => passwordFields({ ...credentials, ...asked }),
    options.proofKey,
  );
};

/** By the name in `--grant`: of a URN, its last part. */
export const GRANTS = {
  authorization_code: exchangeCode,
  client_credentials: requestOwn,
  'token-exchange': exchangeToken,
  'jwt-bearer': bearAssertion,
  password: signInWithPassword,
} as const satisfies Readonly<Record<string, RunGrant>>;

export type GrantName = keyof typeof GRANTS;
