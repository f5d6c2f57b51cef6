// What a step would send now: what the person entered, and where nothing was, what follows from the
// registry and from the steps before.

import { useShallow } from 'zustand/react/shallow';
import type { Client, Dialect, Profile } from '../../../control/schemas.ts';
import { page, usePage, type State } from '../../connection/state.ts';
import { boundKeyOf } from '../../exchange/bound-keys.ts';
import { partyOf, type Party } from '../../sending/chosen-party.ts';
import type { FlowInputs } from './flow-inputs.ts';
import type { FlowState, HeldTokens } from './flow-state.ts';
import type { FlowGrant } from './flow-steps.ts';
import { flow, useFlow } from './flow-store.ts';
import type { AuthorizeMode } from './mistakes/mistake.ts';
import {
  credentialFields,
  credentialsOf,
  type Credentials,
} from '../../../oauth/client-authentication.ts';
import { present, type Fields } from '../../../oauth/fields.ts';
import type { AuthorizeFields } from '../../../oauth/endpoint-requests.ts';
import type {
  DeviceCodeFields,
  ExchangeFields,
  JwtBearerFields,
  PasswordFields,
  RefreshFields,
  TokenExchangeFields,
} from '../../../oauth/token-request.ts';

interface AskedOfDevice extends Credentials {
  readonly audience: string;
  readonly scope: string;
}

/** The fields of a device authorization request (RFC 8628 3.1). */
export const deviceFields = (asked: AskedOfDevice): Fields => [
  ...credentialFields(asked),
  ...present('audience', asked.audience),
  ...present('scope', asked.scope),
];

export interface Choice extends Party {
  redirect_uri: string;
  /** Empty: the authorization names none. */
  audience: string;
  profile: Profile;
  dialect: Dialect;
  mode: AuthorizeMode;
  push: boolean;
  /** Whether token requests have a DPoP proof. */
  dpop: boolean;
  exchange: Required<ExchangeFields>;
  device: AskedOfDevice;
  poll: Required<DeviceCodeFields>;
  password: Required<PasswordFields>;
  swap: Credentials & Pick<TokenExchangeFields, 'subject_token' | 'audience'>;
  bearer: Required<JwtBearerFields>;
  refresh: Required<Omit<RefreshFields, 'audience'>>;
  authorize: Omit<AuthorizeFields, 'state' | 'challenge'>;
  /** Empty: there is none yet. */
  access_token: string;
  /** How the access token is presented: as what it was issued (RFC 9449 7.1). */
  scheme: 'Bearer' | 'DPoP';
}

/** While no client is registered. */
export const NOBODY: Credentials = { client_id: '', client_secret: null };

export const mayUse =
  (grant: FlowGrant) =>
  ({ grant_types }: Client): boolean =>
    grant_types.includes(grant);

/** The client picked, else the oldest that may use the grant. */
function partyFor(state: State, inputs: FlowInputs): Party {
  const party = partyOf(state, inputs);
  const picked = inputs.client_id !== null && party.client?.client_id === inputs.client_id;
  if (picked || inputs.grant === 'authorization_code') return party;
  return { ...party, client: state.clients.findLast(mayUse(inputs.grant)) ?? null };
}

/** Whether the access token is bound to a key: of one that was typed in, only its claims can say so. */
function isBound(typed: string | null, tokens: HeldTokens | null): boolean {
  if (typed === null || typed === tokens?.access_token) return tokens?.bound ?? false;
  return boundKeyOf(typed) !== null;
}

/** Sent for a user without one, where any is accepted. */
const ANY_PASSWORD = 'any-password';

export function choose(state: State, flowState: FlowState): Choice {
  const { inputs, code, device, subject, assertion, tokens } = flowState;
  const { client, user } = partyFor(state, inputs);
  const redirect_uri = inputs.redirect_uri ?? client?.redirect_uris[0] ?? '';
  const issuer = state.server?.issuer ?? '';
  const audience = inputs.audience ?? client?.default_audience ?? issuer;
  const credentials = (secret: string | null) =>
    client === null ? NOBODY : credentialsOf(client, secret);
  return {
    client,
    user,
    redirect_uri,
    audience,
    profile: client?.profile ?? state.settings?.profile ?? 'documented',
    dialect: state.settings?.dialect ?? 'rfc6749',
    mode: state.settings?.authorize ?? 'consent',
    push: inputs.push,
    dpop: inputs.dpop || client?.dpop_bound_access_tokens === true,
    exchange: {
      ...credentials(inputs.exchange_secret),
      code: inputs.exchange_code ?? code?.code ?? '',
      redirect_uri: inputs.exchange_redirect_uri ?? code?.redirect_uri ?? redirect_uri,
      audience: inputs.exchange_audience ?? (code?.audience || audience || issuer),
      code_verifier: code?.verifier ?? null,
    },
    device: { ...credentials(null), audience, scope: inputs.scope.trim() },
    poll: {
      ...credentials(null),
      device_code: inputs.poll_code ?? device?.device_code ?? '',
    },
    password: {
      ...credentials(null),
      username: user?.sub ?? '',
      password: inputs.password ?? (user?.has_password === true ? '' : ANY_PASSWORD),
      audience,
      scope: inputs.scope.trim(),
    },
    swap: {
      ...credentials(null),
      subject_token: inputs.subject_token ?? subject?.access_token ?? '',
      audience,
    },
    bearer: {
      ...credentials(null),
      assertion: inputs.assertion ?? assertion?.assertion ?? '',
      audience,
      scope: inputs.scope.trim(),
    },
    refresh: {
      ...credentials(inputs.refresh_secret),
      refresh_token: inputs.refresh_token ?? tokens?.refresh_token ?? '',
      scope: inputs.refresh_scope,
    },
    authorize: {
      client_id: client?.client_id ?? '',
      redirect_uri,
      scope: inputs.scope.trim(),
      audience,
      login_hint: user?.sub ?? '',
    },
    access_token: inputs.api_token ?? tokens?.access_token ?? '',
    scheme: isBound(inputs.api_token, tokens) ? 'DPoP' : 'Bearer',
  };
}

export const currentChoice = (): Choice => choose(page.getState(), flow.getState());

export function useChoice(): Choice {
  const known = usePage(
    useShallow(({ clients, users, settings, server }) => ({ clients, users, settings, server })),
  );
  const held = useFlow(
    useShallow(({ inputs, code, device, subject, assertion, tokens }) => ({
      ...{ inputs, code, device, subject, assertion, tokens },
    })),
  );
  return choose({ ...page.getState(), ...known }, { ...flow.getState(), ...held });
}
