// The actions that obtain an authorization code: directly over control, or at /authorize like a browser.

import { membersOf } from '../../json.ts';
import { AUTHORIZE_PATH, PUSH_PATH } from '../../oauth/token-request.ts';
import { FORM_TYPE, formBody, JSON_TYPE, type HttpRequest } from '../../oauth/fields.ts';
import type { ScenarioSandbox } from '../runner/scenario-sandbox.ts';
import { createPkcePair, type ChallengeMethod, type PkcePair } from '../../oauth/pkce.ts';
import { SIGN_IN_ERRORS } from '../../control/names.ts';
import { z } from '../../control/zod.ts';
import { AUTHORIZE_PARAMETERS } from '../defaults.ts';
import {
  approval,
  type Entered,
  rejection,
  signInFormOf,
  type SignInForm,
} from '../sign-in-form.ts';
import {
  AUTH_FIELDS,
  fieldsOf,
  given,
  inTitle,
  keepCode,
  mergedFields,
  toEndpoint,
  type Action,
  type Members,
  type Parameters,
  type Run,
} from './action.ts';
import {
  access_token_expires_in,
  client,
  client_auth,
  oneOf,
  optional,
  parameters,
  pkce,
  record,
  strictRecord,
  text,
  user,
  whole,
} from './members.ts';
import { answerOfControl, type Answer } from './answer.ts';
import {
  asRequestObject,
  clientAssertion,
  requestObject,
  signClientAssertion,
} from './assertion.ts';

const pairOf = async (method: ChallengeMethod | undefined): Promise<PkcePair | null> =>
  method === undefined ? null : createPkcePair(method);

const providesCode = (members: Members): readonly string[] => [
  'code',
  'redirect_uri',
  'audience',
  ...(members['pkce'] === undefined ? [] : ['code_verifier']),
];

const codeOrder = strictRecord(
  {
    client: z.optional(client),
    user: z.optional(user),
    redirect_uri: optional(
      text,
      'A registered redirect URI of the client; the first one by default.',
    ),
    audience: optional(z.nullable(text), 'null for none; the issuer by default.'),
    scope: optional(text, 'The scope of the authorization; none by default.'),
    nonce: optional(text, 'The nonce of the ID token; none by default.'),
    pkce: z.optional(pkce),
    code_expires_in: optional(
      whole(1, 86_400),
      'Lifetime of the code in seconds; that of the settings by default.',
    ),
    access_token_expires_in: z.optional(access_token_expires_in),
  },
  'Issues an authorization code over the control API, as if a user had consented. Saves {{code}}.',
);

export const issueCode: Action<z.input<typeof codeOrder>> = {
  schema: codeOrder,
  answer: 'body',
  for_client: true,
  provides: providesCode,
  title: (order) => `issue a code${inTitle(order)}`,
  perform: async (order, run) => {
    const { variables, sandbox } = run;
    const { client: _client, pkce: method, ...rest } = order;
    const { user: sub, redirect_uri, audience = '{{issuer}}', ...more } = rest;
    const pair = await pairOf(method);
    const asked = variables.filled({
      ...more,
      client_id: '{{client.client_id}}',
      redirect_uri: redirect_uri ?? '{{client.redirect_uri}}',
      sub,
      audience: audience ?? undefined,
      ...pair?.challenge,
    });
    const issued = await sandbox.control.codes.create(given(asked));
    keepCode(run, issued.code, { ...asked, pkce: pair });
    return answerOfControl({ ...issued });
  },
};

/** Returns the request that pushes these parameters (RFC 9126 2.1). */
const pushRequest = (values: Members, headers: HttpRequest['headers']): HttpRequest => ({
  method: 'POST',
  path: PUSH_PATH,
  headers: { 'Content-Type': FORM_TYPE, Accept: JSON_TYPE, ...headers },
  body: formBody(fieldsOf(values as Parameters)),
});

const authorizeRequest = (values: Members): HttpRequest => ({
  method: 'GET',
  path: `${AUTHORIZE_PATH}?${formBody(fieldsOf(values as Parameters))}`,
  headers: { Accept: 'text/html' },
});

const SIGN_INS = [
  'approve',
  'deny',
  ...SIGN_IN_ERRORS,
  'stop',
  'approve_twice',
  'approve_without_cookie',
  'wrong_password',
  'wrong_code',
] as const;
type SignIn = (typeof SIGN_INS)[number];

const authorization = strictRecord(
  {
    client: z.optional(client),
    user: z.optional(user),
    parameters: optional(
      parameters,
      'Parameters that replace response_type=code, client_id, redirect_uri, audience, state and login_hint; null omits a parameter.',
    ),
    pkce: z.optional(pkce),
    push: optional(
      z.boolean('must be true or false'),
      "Pushes the parameters to /oauth/par first, and sends only client_id and request_uri to /authorize (RFC 9126). If the push is rejected, its response is the step's response.",
    ),
    client_auth,
    client_assertion: clientAssertion,
    request_object: z.optional(requestObject),
    dpop: optional(
      z.literal(true, 'must be true'),
      "Binds the code to the run's key: sends dpop_jkt or, with push, a DPoP proof (RFC 9449 10).",
    ),
    sign_in: optional(
      oneOf(SIGN_INS),
      "The decision on the sign-in page, if there is one; approve by default. login_required, server_error and temporarily_unavailable fail with that error; stop leaves the page open. approve_twice sends the form twice; approve_without_cookie sends it without the browser's cookie. wrong_password and wrong_code enter something other than what the page asks for, if it does.",
    ),
    claims: optional(
      record(z.unknown()),
      'Claims that replace those of the user in this sign-in only. The sign-in page must have its aids for testers.',
    ),
  },
  'Sends GET /authorize as a browser would, signs in and consents, and saves {{code}}.',
);

/** Returns the form of the sign-in page with its secrets; null if no page was shown. */
async function formOf({ exchange }: Answer, { sandbox }: Run): Promise<SignInForm | null> {
  if (exchange === null || exchange.sign_in === null) return null;
  const { number } = exchange;
  return signInFormOf(await sandbox.control.exchanges.get({ number, secrets: true }));
}

/** Returns the forms that the browser sends for a decision, in order. */
function decided(
  decision: SignIn,
  form: SignInForm,
  sub: string,
  entered: Entered,
): readonly HttpRequest[] {
  const approved = approval(form, sub, entered);
  switch (decision) {
    case 'approve':
      return [approved];
    case 'approve_twice':
      return [approved, approved];
    case 'approve_without_cookie':
      return [approval({ ...form, cookies: '' }, sub, entered)];
    case 'wrong_password':
      return [approval(form, sub, { ...entered, password: `not ${entered.password ?? ''}` })];
    case 'wrong_code':
      return [approval(form, sub, { ...entered, one_time_code: 'wrong' })];
    case 'stop':
      return [];
    case 'deny':
    case 'login_required':
    case 'server_error':
    case 'temporarily_unavailable':
      return [rejection(form, decision)];
  }
}

/** Pushes the parameters. Returns the response, and the parameters for the browser; null if the push was rejected. */
async function push(parametersToPush: Members, order: Order, run: Run) {
  const { variables } = run;
  const { client_auth: place = 'body', dpop } = order;
  const compose = async () => {
    await signClientAssertion(order, run);
    const credentials = mergedFields(AUTH_FIELDS[place], undefined, variables);
    const basic = place === 'basic' ? { Authorization: variables.filled('{{client.basic}}') } : {};
    return toEndpoint(run, pushRequest({ ...credentials, ...parametersToPush }, basic));
  };
  const answer = await run.proofs.send(compose, dpop);
  const { request_uri } = membersOf(answer.body);
  const accepted = answer.status === 201 && typeof request_uri === 'string';
  const client_id = parametersToPush['client_id'];
  return { answer, reference: accepted ? { client_id, request_uri } : null };
}

type Order = z.input<typeof authorization>;

/** Returns the parameters that a correct client sends, with those of the step in their place. */
async function parametersOf(order: Order, pair: PkcePair | null, run: Run): Promise<Members> {
  const { user: sub, dpop, push: isPushed = false, parameters: own } = order;
  const hint = sub === undefined ? {} : { login_hint: sub };
  const bound = dpop === true && !isPushed ? { dpop_jkt: await run.proofs.thumbprint() } : {};
  const usual = { ...AUTHORIZE_PARAMETERS, ...hint, ...pair?.challenge, ...bound };
  return mergedFields(usual, own, run.variables);
}

const passwordOf = async (sub: string, { users, passwordOf }: ScenarioSandbox) =>
  users.find((user) => user.sub === sub)?.password ?? (await passwordOf?.(sub)) ?? null;

export const authorize: Action<Order> = {
  schema: authorization,
  answer: 'response',
  for_client: true,
  provides: providesCode,
  title: (order) => `authorize${inTitle(order)}`,
  perform: async (order, run) => {
    const { sandbox } = run;
    const { user: sub, sign_in = 'approve', request_object, claims } = order;
    const pair = await pairOf(order.pkce);
    const asked = await parametersOf(order, pair, run);
    const sent =
      request_object === undefined ? asked : await asRequestObject(asked, request_object, run);
    const pushed = order.push === true ? await push(sent, order, run) : null;
    if (pushed !== null && pushed.reference === null) return pushed.answer;
    let answer = await run.request(toEndpoint(run, authorizeRequest(pushed?.reference ?? sent)));
    const form = await formOf(answer, run);
    const person = sub ?? sandbox.users[0]?.sub ?? '';
    const password = form?.authentication === 'none' ? null : await passwordOf(person, sandbox);
    const entered = { password, claims: run.variables.filled(claims) };
    for (const request of form === null ? [] : decided(sign_in, form, person, entered)) {
      answer = await run.request(toEndpoint(run, request));
    }
    const { redirect_uri, audience } = asked;
    keepCode(run, answer.redirect?.['code'], { redirect_uri, audience, pkce: pair });
    return answer;
  },
};
