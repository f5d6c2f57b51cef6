// The action `token`: a request to the token endpoint with any grant.

import type { Credentials } from '../../oauth/client-authentication.ts';
import { formBody } from '../../oauth/fields.ts';
import {
  DEVICE_CODE_GRANT,
  documentedFormat,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
  TOKEN_PATH,
  tokenRequest,
} from '../../oauth/token-request.ts';
import { z } from '../../control/zod.ts';
import { described } from '../../core/records/zod.ts';
import { isJsonObject } from '../../json.ts';
import { grantFields } from '../defaults.ts';
import { clientAssertion, signClientAssertion } from './assertion.ts';
import { proofMember } from './proofs.ts';
import {
  AUTH_FIELDS,
  fieldsOf,
  inTitle,
  keepCredentials,
  mergedFields,
  toEndpoint,
  TOKENS,
  withFactsOf,
  type Action,
  type Composing,
  type Needed,
  type Parameters,
} from './action.ts';
import {
  client,
  client_auth,
  headers,
  oneOf,
  optional,
  query,
  record,
  strictRecord,
  text,
} from './members.ts';
import type { Variables } from './variables.ts';
import type { WireRequest } from '../runner/scenario-sandbox.ts';

const order = strictRecord(
  {
    grant: described(text, 'authorization_code, refresh_token, or any other grant type.'),
    client: z.optional(client),
    user: optional(
      text,
      'The sub of the user whose username and password the grant password sends; the first user by default.',
    ),
    client_auth,
    client_assertion: clientAssertion,
    format: optional(
      oneOf(['json', 'form']),
      'json for authorization_code and form for all other grant types by default (spec 4.1).',
    ),
    fields: optional(
      record(z.unknown()),
      'Fields that replace those of the grant; null omits a field, an array repeats it in a form.',
    ),
    query: z.optional(query),
    headers: z.optional(headers),
    dpop: z.optional(proofMember),
  },
  'Sends POST /oauth/token with the fields of the grant, and saves {{access_token}}, {{refresh_token}} and the other members of the response.',
);
type Order = z.input<typeof order>;

/** The credential that each grant sends by default. */
const NEEDED: Readonly<Record<string, Needed>> = {
  authorization_code: { variable: 'code', provided_by: '{"issue_code": {}}', field: 'code' },
  refresh_token: {
    variable: 'refresh_token',
    provided_by: '{"issue_tokens": {}}',
    field: 'refresh_token',
  },
  [TOKEN_EXCHANGE_GRANT]: {
    variable: 'access_token',
    provided_by: '{"issue_tokens": {}}',
    field: 'subject_token',
  },
  [DEVICE_CODE_GRANT]: {
    variable: 'device_code',
    provided_by: '{"authorize_device": {}}',
    field: 'device_code',
  },
  [JWT_BEARER_GRANT]: {
    variable: 'assertion',
    provided_by: '{"sign_assertion": {}}',
    field: 'assertion',
    optional: true,
  },
};

const basicOf = ({ filled }: Variables): Credentials => ({
  client_id: filled('{{client.client_id}}'),
  client_secret: filled('{{client.client_secret}}'),
});

function compose(step: Order, run: Composing): WireRequest {
  const { variables } = run;
  const { grant, client_auth: place = 'body', format = documentedFormat(grant) } = step;
  const usual = { ...AUTH_FIELDS[place], ...grantFields(grant) };
  const values = mergedFields(usual, step.fields, variables);
  const fields = format === 'json' ? Object.entries(values) : fieldsOf(values as Parameters);
  const parameters = formBody(fieldsOf(variables.filled(step.query ?? {})));
  const request = tokenRequest(fields, {
    format,
    path: parameters === '' ? TOKEN_PATH : `${TOKEN_PATH}?${parameters}`,
    basic: place === 'basic' ? basicOf(variables) : null,
  });
  return toEndpoint(run, request, variables.filled(step.headers));
}

export const token: Action<Order> = {
  schema: order,
  answer: 'response',
  for_client: true,
  provides: () => TOKENS,
  needs: ({ grant, fields }) => {
    const needed = typeof grant === 'string' && Object.hasOwn(NEEDED, grant) ? NEEDED[grant] : null;
    const isGiven = needed && isJsonObject(fields) && Object.hasOwn(fields, needed.field);
    return isGiven ? null : (needed ?? null);
  },
  title: (step) => `token request with ${step.grant}${inTitle({ client: step.client })}`,
  compose,
  perform: async (step, run) => {
    const asked = async () => {
      await signClientAssertion(step, run);
      return compose(step, run);
    };
    const answer = await withFactsOf(step.fields?.['code'], run, () =>
      run.proofs.send(asked, step.dpop),
    );
    keepCredentials(run, answer);
    return answer;
  },
};
