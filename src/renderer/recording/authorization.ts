// How a recorded code was had: over control, or at /authorize with or without its sign-in page.

import { AUTHORIZE_PARAMETERS } from '../../scenario/defaults.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';
import type { Client } from '../../control/schemas.ts';
import { bodyText } from '../exchange/answer.ts';
import { headerOf } from '../../oauth/fields.ts';
import type { IssuedCode } from './recorded-event.ts';
import { askedParameters, isPush } from './asked-parameters.ts';
import { isSignInPage } from '../../scenario/sign-in-form.ts';
import type { Known } from './known.ts';
import type { Authorization } from './sign-ins.ts';
import { parametersOf } from './request-step.ts';

interface SignIn {
  readonly decision: 'approve' | 'deny' | 'stop';
  readonly sub: string | null;
}

/** What was done on the page; null when there was none. */
function signInOf({ link, decided }: Authorization): SignIn | null {
  if (!isSignInPage(link)) return null;
  if (decided === null) return { decision: 'stop', sub: null };
  const form = new URLSearchParams(bodyText(decided.request));
  const decision = form.get('decision') === 'deny' ? 'deny' : 'approve';
  return { decision, sub: form.get('sub') };
}

const isPkce = (method: unknown): method is 'S256' | 'plain' =>
  method === 'S256' || method === 'plain';

const isPerson = (value: unknown): value is string => typeof value === 'string' && value !== '';

function usual(client: Client | undefined): Readonly<Record<string, string>> {
  return {
    ...AUTHORIZE_PARAMETERS,
    client_id: client?.client_id ?? '',
    redirect_uri: client?.redirect_uris[0] ?? '',
    audience: '{{issuer}}',
  };
}

/** Of one request only: any will do. */
const ANY_NONCE = 'scenario';

const SENT_BY_THE_STEP = [
  ...['state', 'login_hint', 'code_challenge', 'code_challenge_method', 'dpop_jkt'],
];

/** @param session the user of the session in the browser, who was not asked again; null for none */
export function authorizationStep(
  authorization: Authorization,
  session: string | null,
  known: Known,
): ScenarioStep {
  const request = authorization.pushed ?? authorization.link;
  const sign_in = signInOf(authorization);
  const query = askedParameters(request);
  const asked = known.clientOf(new URLSearchParams(query).get('client_id')) ?? known.clients[0];
  const sent = parametersOf(query, known.inStepOf(asked)) ?? {};
  const { login_hint, code_challenge_method: method } = sent;
  const user = [session, sign_in?.sub].find(isPerson) ?? login_hint;
  const pkce = isPkce(method) ? { pkce: method } : {};
  const parameters: Record<string, string | string[] | null> = {};
  for (const [name, value] of Object.entries(usual(asked))) {
    const now = sent[name];
    if (now === undefined) parameters[name] = null;
    else if (now !== value && name !== 'state') parameters[name] = now;
  }
  for (const [name, value] of Object.entries(sent)) {
    // In a run nobody is signed in yet.
    if (name === 'prompt' && session !== null) continue;
    const own = SENT_BY_THE_STEP.includes(name) || Object.hasOwn(AUTHORIZE_PARAMETERS, name);
    if (name === 'nonce') parameters[name] = ANY_NONCE;
    else if (!own) parameters[name] = value;
    else if (name.startsWith('code_challenge') && !('pkce' in pkce)) parameters[name] = value;
  }
  const decision = sign_in?.decision ?? 'approve';
  const isBound = 'dpop_jkt' in sent || headerOf(request.request.headers, 'dpop') !== null;
  return {
    authorize: {
      ...known.naming(asked),
      ...(isPerson(user) ? { user } : {}),
      ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
      ...pkce,
      ...(isPush(request) ? { push: true } : {}),
      ...(isBound ? { dpop: true } : {}),
      ...(decision === 'approve' ? {} : { sign_in: decision }),
    },
  };
}

export function codeStep({ request }: IssuedCode, known: Known): ScenarioStep {
  const { client_id, sub, redirect_uri, audience, scope, nonce } = request;
  const { code_challenge, code_challenge_method = 'plain' } = request;
  const { code_expires_in, access_token_expires_in } = request;
  const client = known.clientOf(client_id) ?? known.clients[0];
  const named = audience === undefined ? null : known.written(audience);
  return {
    issue_code: {
      ...known.naming(client),
      ...(sub === undefined ? {} : { user: sub }),
      ...(redirect_uri === client?.redirect_uris[0] ? {} : { redirect_uri }),
      ...(named === '{{issuer}}' ? {} : { audience: named }),
      ...(scope === undefined ? {} : { scope }),
      ...(nonce === undefined ? {} : { nonce }),
      ...(code_challenge === undefined ? {} : { pkce: code_challenge_method }),
      ...(code_expires_in === undefined ? {} : { code_expires_in }),
      ...(access_token_expires_in === undefined ? {} : { access_token_expires_in }),
    },
  };
}
