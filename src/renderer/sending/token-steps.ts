// Token requests that would be granted, as steps: for which clients and grants they can be made, and the credential that is
// made for each over control, just before, so that nothing else is sent.

import { DEVICE_CODE_GRANT, TOKEN_EXCHANGE_GRANT } from '../../oauth/token-request.ts';
import type { Client, GrantType } from '../../control/schemas.ts';
import { GRANT_TYPES } from '../../control/names.ts';
import type { Run } from '../../scenario/actions/action.ts';
import { composeStep, performStep } from '../../scenario/actions/index.ts';
import { exactly } from '../../scenario/actions/request.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';
import { countdown } from '../connection/clock.ts';

/** An assertion is signed with a key that only the client has, and a password is never told. */
export type RequestableGrant = Exclude<
  GrantType,
  'urn:ietf:params:oauth:grant-type:jwt-bearer' | 'password'
>;

const audienceFor = ({ default_audience }: Client) => default_audience ?? '{{issuer}}';

type Bring = (client: Client, run: Run) => Promise<unknown>;

/** A token pair without a code. */
export const issueTokens: Bring = (client, run) =>
  performStep({ issue_tokens: { client: client.client_id } }, run);

/** Opens a device and approves it as the first user. */
export const issueDeviceCode: Bring = async (client, { sandbox, variables }) => {
  const { client_id } = client;
  const { devices } = sandbox.control;
  const audience = variables.filled(audienceFor(client));
  const { id, device_code, state } = await devices.create({ client_id, audience });
  // The setting authorize may have decided already.
  if (state === 'pending') await devices.approve({ id });
  variables.set('device_code', device_code);
};

interface Requestable {
  readonly sendable: (client: Client) => boolean;
  /** Brings the credential that the request redeems, where it redeems one. */
  readonly bring?: Bring;
}

const REQUESTABLE: Record<RequestableGrant, Requestable> = {
  authorization_code: {
    sendable: ({ redirect_uris }) => redirect_uris.length > 0,
    bring: (client, run) => {
      const of = { client: client.client_id, audience: audienceFor(client) };
      return performStep({ issue_code: { ...of, pkce: 'S256' } }, run);
    },
  },
  client_credentials: { sendable: ({ client_secret }) => client_secret !== null },
  refresh_token: { sendable: () => true, bring: issueTokens },
  [TOKEN_EXCHANGE_GRANT]: {
    sendable: ({ client_secret }) => client_secret !== null,
    bring: issueTokens,
  },
  [DEVICE_CODE_GRANT]: { sendable: () => true, bring: issueDeviceCode },
};

const isRequestable = (grant: GrantType): grant is RequestableGrant =>
  Object.hasOwn(REQUESTABLE, grant);

/** The grants that the client may use, and for which a request can be made here. */
export const requestableGrants = (client: Client): RequestableGrant[] =>
  GRANT_TYPES.filter(isRequestable).filter(
    (grant) => client.grant_types.includes(grant) && REQUESTABLE[grant].sendable(client),
  );

/** Grants of which the audience is not part of what is redeemed. */
const NAMES_AUDIENCE: readonly RequestableGrant[] = ['client_credentials', TOKEN_EXCHANGE_GRANT];

/** The request with the grant, as the client sends it. */
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
 * The step that sends one request now and whenever it is repeated, whatever the responses bring; a DPoP proof is a new one
 * each time (RFC 9449 4.2).
 */
export function sameRequest(step: ScenarioStep, run: Run): ScenarioStep {
  const composed = composeStep(step, run);
  if (composed === null) return step;
  const { request } = exactly(composed, run);
  const dpop = step.token?.dpop;
  return { request: dpop === undefined ? request : { ...request, dpop } };
}

/** The request with the grant, and a credential made for it. */
export async function freshTokenStep(
  client: Client,
  grant: RequestableGrant,
  run: Run,
): Promise<ScenarioStep> {
  await REQUESTABLE[grant].bring?.(client, run);
  return tokenStep(client, grant);
}

/** A code works once: it is spent after a response with tokens (RFC 6749 4.1.2). */
interface HeldCode {
  readonly expires_at: string;
  readonly spent: boolean;
}

export type CodeLife =
  | { readonly state: 'redeemed' | 'expired' }
  /** `left` counts down: `09:41`. */
  | { readonly state: 'redeemable'; readonly left: string };

/** @param now sandbox time in ms */
export function codeLifeOf({ expires_at, spent }: HeldCode, now: number): CodeLife {
  if (spent) return { state: 'redeemed' };
  const left = (Date.parse(expires_at) - now) / 1000;
  return left > 0 ? { state: 'redeemable', left: countdown(left) } : { state: 'expired' };
}
