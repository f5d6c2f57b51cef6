// The actions of the device authorization grant (RFC 8628): the device requests its codes, the user decides.

import { deviceAuthorizationRequest } from '../../oauth/token-request.ts';
import { z } from '../../control/zod.ts';
import { DEVICE_FIELDS } from '../defaults.ts';
import { clientAssertion, signClientAssertion } from './assertion.ts';
import {
  AUTH_FIELDS,
  fieldsOf,
  given,
  inTitle,
  keepCredentials,
  mergedFields,
  toEndpoint,
  type Action,
  type Composing,
  type Parameters,
} from './action.ts';
import {
  client,
  client_auth,
  headers,
  optional,
  parameters,
  strictRecord,
  text,
  user,
} from './members.ts';
import type { WireRequest } from '../runner/scenario-sandbox.ts';

const deviceAuthorization = strictRecord(
  {
    client: z.optional(client),
    client_auth,
    client_assertion: clientAssertion,
    fields: optional(
      parameters,
      'Fields that replace client_id, client_secret and audience; null omits a field.',
    ),
    headers: z.optional(headers),
  },
  'Sends POST /oauth/device_authorization (RFC 8628), and saves {{device_code}} and {{user_code}}.',
);
type Order = z.input<typeof deviceAuthorization>;

function compose(step: Order, run: Composing): WireRequest {
  const { variables } = run;
  const { client_auth: place = 'body' } = step;
  const usual = { ...AUTH_FIELDS[place], ...DEVICE_FIELDS };
  const values = mergedFields(usual, step.fields, variables);
  const request = deviceAuthorizationRequest(fieldsOf(values as Parameters));
  const basic = place === 'basic' ? { Authorization: variables.filled('{{client.basic}}') } : {};
  return toEndpoint(run, request, { ...basic, ...variables.filled(step.headers) });
}

export const authorizeDevice: Action<Order> = {
  schema: deviceAuthorization,
  answer: 'response',
  for_client: true,
  provides: () => ['device_code', 'user_code'],
  title: (step) => `authorize a device${inTitle({ client: step.client })}`,
  compose,
  perform: async (step, run) => {
    await signClientAssertion(step, run);
    const answer = await run.request(compose(step, run));
    keepCredentials(run, answer);
    return answer;
  },
};

const user_code = optional(text, 'The user code of the device; {{user_code}} by default.');

const userCode = ({ user_code: code = '{{user_code}}' }: { user_code?: string | undefined }) =>
  code;

const deviceApproval = strictRecord(
  {
    user: z.optional(user),
    user_code,
    scope: optional(text, 'The scope to grant; the requested scope by default.'),
  },
  'Approves a device over the control API, as if the user had done so at /device.',
);

export const approveDevice: Action<z.input<typeof deviceApproval>> = {
  schema: deviceApproval,
  answer: 'none',
  provides: () => [],
  title: (step) => `approve the device${inTitle({ user: step.user })}`,
  perform: async (step, { sandbox, variables }) => {
    const order = { id: userCode(step), sub: step.user, scope: step.scope };
    await sandbox.control.devices.approve(given(variables.filled(order)));
    return null;
  },
};

const deviceDenial = strictRecord(
  { user_code },
  'Denies a device over the control API, as if the user had done so at /device.',
);

export const denyDevice: Action<z.input<typeof deviceDenial>> = {
  schema: deviceDenial,
  answer: 'none',
  provides: () => [],
  title: () => 'deny the device',
  perform: async (step, { sandbox, variables }) => {
    await sandbox.control.devices.deny({ id: variables.filled(userCode(step)) });
    return null;
  },
};
