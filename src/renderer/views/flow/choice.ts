// What a step would send now: what the person entered, and where nothing was, what follows from the
// registry and from the steps before.

import { useShallow } from 'zustand/react/shallow';
import type { Dialect, Profile } from '../../../control/schemas.ts';
import { page, usePage, type State } from '../../connection/state.ts';
import { partyOf, type Party } from '../../sending/chosen-party.ts';
import type { FlowState } from './flow-state.ts';
import { flow, useFlow } from './flow-store.ts';
import type { AuthorizeMode } from './mistake.ts';
import { credentialsOf, type Credentials } from '../../../oauth/client-authentication.ts';
import type { AuthorizeFields } from '../../../oauth/endpoint-requests.ts';
import type { ExchangeFields, RefreshFields } from '../../../oauth/token-request.ts';

export interface Choice extends Party {
  redirect_uri: string;
  /** Empty: the authorization names none. */
  audience: string;
  profile: Profile;
  dialect: Dialect;
  mode: AuthorizeMode;
  exchange: Required<ExchangeFields>;
  refresh: Required<Omit<RefreshFields, 'audience'>>;
  authorize: Omit<AuthorizeFields, 'state' | 'challenge'>;
  /** Empty: there is none yet. */
  access_token: string;
}

/** While no client is registered. */
export const NOBODY: Credentials = { client_id: '', client_secret: null };

export function choose(state: State, { inputs, code, tokens }: FlowState): Choice {
  const { client, user } = partyOf(state, inputs);
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
    exchange: {
      ...credentials(inputs.exchange_secret),
      code: inputs.exchange_code ?? code?.code ?? '',
      redirect_uri: inputs.exchange_redirect_uri ?? code?.redirect_uri ?? redirect_uri,
      audience: inputs.exchange_audience ?? (code?.audience || audience || issuer),
      code_verifier: code?.verifier ?? null,
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
  };
}

export const currentChoice = (): Choice => choose(page.getState(), flow.getState());

export function useChoice(): Choice {
  const known = usePage(
    useShallow(({ clients, users, settings, server }) => ({ clients, users, settings, server })),
  );
  const held = useFlow(useShallow(({ inputs, code, tokens }) => ({ inputs, code, tokens })));
  return choose({ ...page.getState(), ...known }, { ...flow.getState(), ...held });
}
