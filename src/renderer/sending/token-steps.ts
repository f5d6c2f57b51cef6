// Valid token requests as steps: which clients and grants they are possible for, and the credential that the control API
// issues just before each, so that no other request is sent.

import { DEVICE_CODE_GRANT, TOKEN_EXCHANGE_GRANT } from '../../oauth/token-request.ts';
import type { Client, Credential, GrantType } from '../../control/schemas.ts';
import { control } from '../connection/control.ts';
import { GRANT_TYPES } from '../../control/names.ts';
import type { Run } from '../../scenario/actions/action.ts';
import { composeStep, performStep } from '../../scenario/actions/index.ts';
import { exactly } from '../../scenario/actions/request.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';

/** Excludes grants for which the page lacks what the client has: the key that signs assertions, and the password. */
export type RequestableGrant = Exclude<
  GrantType,
  'urn:ietf:params:oauth:grant-type:jwt-bearer' | 'password'
>;

const audienceFor = ({ default_audience }: Client) => default_audience ?? '{{issuer}}';

type ObtainCredential = (client: Client, run: Run) => Promise<unknown>;

/** A token pair without a code. */
export const issueTokens: ObtainCredential = (client, run) =>
  performStep({ issue_tokens: { client: client.client_id } }, run);

/** Opens a device and approves it as the first user. */
export const issueDeviceCode: ObtainCredential = async (client, { sandbox, variables }) => {
  const { client_id } = client;
  const { devices } = sandbox.control;
  const audience = variables.filled(audienceFor(client));
  const { id, device_code, state } = await devices.create({ client_id, audience });
  // The authorize setting may have decided already.
  if (state === 'pending') await devices.approve({ id });
  variables.set('device_code', device_code);
};

interface Requestable {
  readonly sendable: (client: Client) => boolean;
  /** Issues the credential that the request redeems, if it redeems one. */
  readonly obtain?: ObtainCredential;
}

const REQUESTABLE: Record<RequestableGrant, Requestable> = {
  authorization_code: {
    sendable: ({ redirect_uris }) => redirect_uris.length > 0,
    obtain: (client, run) => {
      const of = { client: client.client_id, audience: audienceFor(client) };
      return performStep({ issue_code: { ...of, pkce: 'S256' } }, run);
    },
  },
  client_credentials: { sendable: ({ client_secret }) => client_secret !== null },
  refresh_token: { sendable: () => true, obtain: issueTokens },
  [TOKEN_EXCHANGE_GRANT]: {
    sendable: ({ client_secret }) => client_secret !== null,
    obtain: issueTokens,
  },
  [DEVICE_CODE_GRANT]: { sendable: () => true, obtain: issueDeviceCode },
};

const isRequestable = (grant: GrantType): grant is RequestableGrant =>
  Object.hasOwn(REQUESTABLE, grant);

/** The grants that the client may use, and for which this page can send a valid request. */
export const requestableGrants = (client: Client): RequestableGrant[] =>
  GRANT_TYPES.filter(isRequestable).filter(
    (grant) => client.grant_types.includes(grant) && REQUESTABLE[grant].sendable(client),
  );

/** Grants whose audience does not follow from a redeemed credential. */
const NAMES_AUDIENCE: readonly RequestableGrant[] = ['client_credentials', TOKEN_EXCHANGE_GRANT];

/** The token request for the grant, as the client sends it. */
export function tokenStep(
  client: Client,
  grant: RequestableGrant,
  fields: Readonly<Record<string, string>> = {},
): ScenarioStep {
  const audience = NAMES_AUDIENCE.includes(grant) ? { audience: audienceFor(client) } : {};
  const proof = client.dpop_bound_access_tokens ? { dpop: true as const } : {};
  return {
    token: { grant, client: client.client_id, fields: { ...audience, ...fields }, ...proof },
  };
}

/**
 * A step that sends the same request each time it is repeated, whatever the responses contain. Only its DPoP proof is new
 * each time (RFC 9449 4.2).
 */
export function sameRequest(step: ScenarioStep, run: Run): ScenarioStep {
  const composed = composeStep(step, run);
  if (composed === null) return step;
  const { request } = exactly(composed, run);
  const dpop = step.token?.dpop;
  return { request: dpop === undefined ? request : { ...request, dpop } };
}

/** The token request for the grant, with a credential issued for it. */
export async function freshTokenStep(
  client: Client,
  grant: RequestableGrant,
  run: Run,
): Promise<ScenarioStep> {
  await REQUESTABLE[grant].obtain?.(client, run);
  return tokenStep(client, grant);
}

/** The client's newest token that is still valid; null without one. */
export async function newestToken(
  client_id: string,
  kind: Credential['kind'],
): Promise<string | null> {
  const wanted = { client_id, kind, state: 'active', limit: 1, secrets: true } as const;
  const { items } = await control.tokens.list(wanted);
  return items[0]?.value ?? null;
}
