// A recorded device authorization request, and what was decided about a device, as steps.

import { CREDENTIAL_FIELDS, DEVICE_FIELDS } from '../../scenario/defaults.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';
import { DEVICE_AUTHORIZATION_PATH } from '../../oauth/endpoint-requests.ts';
import { FORM_TYPE, headerOf } from '../../oauth/fields.ts';
import type { Exchange } from '../../control/schemas.ts';
import { bodyText } from '../exchange/answer.ts';
import type { DeviceDecision } from './recorded-event.ts';
import type { Known } from './known.ts';
import { isBasicOf } from './basic.ts';
import { formFields } from './form-fields.ts';
import { ownHeaders } from './own-headers.ts';

type Fields = Readonly<Record<string, string>>;

/** The fields to name: those that are not what goes by itself, and null for what was left out. */
function differing(
  fields: Fields,
  usual: Fields,
  own: Readonly<Record<string, unknown>>,
  known: Known,
) {
  const changed: Record<string, string | null> = {};
  for (const name of Object.keys(usual)) {
    if (fields[name] === undefined && own[name] !== null) changed[name] = null;
  }
  for (const [name, value] of Object.entries(fields)) {
    if (!Object.hasOwn(usual, name) || value !== own[name]) changed[name] = known.written(value);
  }
  return changed;
}

/** null when it has to be written as a plain request. */
export function deviceStep(exchange: Exchange, walk: Known): ScenarioStep | null {
  const { method, path, request } = exchange;
  const fields = formFields(bodyText(request));
  if (method !== 'POST' || path !== DEVICE_AUTHORIZATION_PATH || fields === null) return null;
  if (headerOf(request.headers, 'content-type')?.split(';', 1)[0] !== FORM_TYPE) return null;
  const client = walk.clientOf(fields['client_id'] ?? exchange.client_id) ?? walk.clients[0];
  if (client === undefined) return null;
  const basic = headerOf(request.headers, 'authorization');
  if (basic !== null && !isBasicOf(basic, client)) return null;
  const known = walk.inStepOf(client);
  const { authorization, ...headers } = ownHeaders(exchange, known);
  const { client_id, client_secret } = client;
  const usual = { ...DEVICE_FIELDS, ...(basic === null ? CREDENTIAL_FIELDS : {}) };
  const own = { client_id, client_secret, audience: known.issuer };
  const changed = differing(fields, usual, own, known);
  return {
    authorize_device: {
      ...known.naming(client),
      ...(authorization === undefined ? {} : { client_auth: 'basic' as const }),
      ...(Object.keys(changed).length === 0 ? {} : { fields: changed }),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
    },
  };
}

/** The newest user code goes by itself. */
const userCode = (user_code: string, known: Known): { user_code?: string } =>
  known.newest('user_code') === user_code ? {} : { user_code: known.written(user_code) };

export function decisionStep(
  { decision, user_code, sub, scope }: DeviceDecision,
  known: Known,
): ScenarioStep {
  const named = userCode(user_code, known);
  switch (decision) {
    case 'approve':
      return {
        approve_device: { ...(sub === null ? {} : { user: sub }), ...named, scope },
      };
    case 'deny':
      return { deny_device: named };
    case 'expire':
      return { expire: known.written(user_code) };
  }
}
