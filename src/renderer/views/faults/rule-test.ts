// Tests a rule: sends a request that it matches, over real HTTP, and keeps the result. This is outside React, so that a
// long wait continues while another view is open.

import { useStore } from 'zustand';
import { type FaultState, fitsPattern, type Fault } from '../../../control/fault-schemas.ts';
import type { Exchange, Client } from '../../../control/schemas.ts';
import { USERINFO_PATH, AUTHORIZE_PATH, TOKEN_PATH } from '../../../oauth/token-request.ts';
import type { Run } from '../../../scenario/actions/action.ts';
import { exactly } from '../../../scenario/actions/request.ts';
import type { ScenarioStep } from '../../../scenario/schema.ts';
import { control, problemOf } from '../../connection/control.ts';
import { createSandboxStore, page } from '../../connection/state.ts';
import { openRun, sendStep } from '../../sending/open-run.ts';
import {
  freshTokenStep,
  issueTokens,
  requestableGrants,
  type RequestableGrant,
} from '../../sending/token-steps.ts';
import { problemSentence } from '../../ui/problems.ts';
import { FORM_TYPE, formBody } from '../../../oauth/fields.ts';
import type { WireRequest } from '../../../scenario/runner/scenario-sandbox.ts';

// Which request to test a rule with: the best match that can be made, so that there is a normal response to change if
// the rule needs one.

type TestRequest =
  /** A token request with a new credential. */
  | { readonly kind: 'token'; readonly grant: RequestableGrant; readonly client: Client }
  /** GET or POST /userinfo with a new token. */
  | { readonly kind: 'userinfo'; readonly method: string; readonly client: Client }
  /** Sent unchanged. */
  | { readonly kind: 'plain'; readonly wire: WireRequest };

/** Paths to try, the most useful first. */
const PATHS = [
  TOKEN_PATH,
  USERINFO_PATH,
  '/.well-known/jwks.json',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/oauth/introspect',
  '/oauth/revoke',
  AUTHORIZE_PATH,
] as const;

const POSTED: readonly string[] = [TOKEN_PATH, '/oauth/introspect', '/oauth/revoke', '/register'];

/** A path that matches the pattern, preferably one that exists. */
function pathOf(pattern: string | null): string {
  if (pattern === null) return TOKEN_PATH;
  return PATHS.find((path) => fitsPattern(pattern, path)) ?? pattern.replaceAll('*', 'x');
}

/** The wanted grant, or any, if the client can send such a request. */
const grantFor = (client: Client, wanted: string | null): RequestableGrant | null =>
  requestableGrants(client).find((grant) => wanted === null || grant === wanted) ?? null;

/** The client that the rule names, or the oldest one that is suitable. */
function clientFor(
  clients: readonly Client[],
  { client_id, grant_type }: Fault['match'],
): Client | null {
  const fit = (client: Client) => grantFor(client, grant_type) !== null;
  if (client_id === null) return clients.findLast(fit) ?? null;
  return clients.find((client) => client.client_id === client_id && fit(client)) ?? null;
}

/** A request with nothing but what the rule matches. */
function plain(
  { grant_type, client_id }: Fault['match'],
  method: string,
  path: string,
): TestRequest {
  const claims = formBody([
    ...(grant_type === null ? [] : [['grant_type', grant_type] as const]),
    ...(client_id === null ? [] : [['client_id', client_id] as const]),
  ]);
  const bodiless = method === 'GET' || method === 'HEAD';
  const query = bodiless && claims !== '' ? `?${claims}` : '';
  const wire: WireRequest = bodiless
    ? { method, path: `${path}${query}`, headers: [] }
    : { method, path, headers: [['content-type', FORM_TYPE]], body: claims };
  return { kind: 'plain', wire };
}

export function testRequestFor(
  { match }: Pick<Fault, 'match'>,
  clients: readonly Client[],
): TestRequest {
  const path = pathOf(match.path);
  const method = match.method ?? (POSTED.includes(path) ? 'POST' : 'GET');
  const client = clientFor(clients, match);
  if (client === null) return plain(match, method, path);
  const grant = grantFor(client, match.grant_type);
  if (path === TOKEN_PATH && method === 'POST' && grant !== null)
    return { kind: 'token', grant, client };
  const claimless = match.grant_type === null && match.client_id === null;
  if (path === USERINFO_PATH && claimless) return { kind: 'userinfo', method, client };
  return plain(match, method, path);
}

export function testRequestInWords(request: TestRequest): string {
  if (request.kind === 'plain') return `${request.wire.method} ${request.wire.path}`;
  const { client_id } = request.client;
  if (request.kind === 'userinfo')
    return `${request.method} ${USERINFO_PATH} with a token of ${client_id}`;
  return `POST ${TOKEN_PATH}, ${request.grant} by ${client_id}`;
}

export type RuleTest =
  | { readonly state: 'waiting'; readonly since: number; readonly cancel: () => void }
  | { readonly state: 'done'; readonly exchange: Exchange }
  | { readonly state: 'failed'; readonly message: string };

/** By the id of the rule. A reset deletes the exchanges of results; a test that still waits goes on. */
export const ruleTests = createSandboxStore<Readonly<Record<string, RuleTest>>>(
  () => ({}),
  (tests) =>
    Object.fromEntries(Object.entries(tests).filter(([, { state }]) => state === 'waiting')),
);

async function stepOf(request: TestRequest, run: Run): Promise<ScenarioStep> {
  if (request.kind === 'plain') return exactly(request.wire, run);
  if (request.kind === 'token') return freshTokenStep(request.client, request.grant, run);
  await issueTokens(request.client, run);
  const headers = { Authorization: 'Bearer {{access_token}}' };
  return { request: { method: request.method, path: run.serverPath(USERINFO_PATH), headers } };
}

const set = (id: string, test: RuleTest) => ruleTests.setState({ [id]: test });

/** Sends a request that the rule matches. The result is kept until it is dismissed. */
export async function testRule(rule: FaultState): Promise<void> {
  const gone = new AbortController();
  set(rule.id, { state: 'waiting', since: performance.now(), cancel: () => gone.abort() });
  try {
    const run = openRun({ signal: gone.signal });
    const step = await stepOf(testRequestFor(rule, page.getState().clients), run);
    const { number } = await sendStep(step, run);
    set(rule.id, { state: 'done', exchange: await control.exchanges.get({ number }) });
  } catch (error) {
    if (gone.signal.aborted) dismissTest(rule.id);
    else set(rule.id, { state: 'failed', message: problemSentence(problemOf(error)) });
  }
}

export const dismissTest = (id: string): void =>
  ruleTests.setState(({ [id]: _gone, ...rest }) => rest, true);

export const useRuleTest = (id: string): RuleTest | null =>
  useStore(ruleTests, (all) => all[id] ?? null);
