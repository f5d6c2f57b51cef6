// `grantbench mistakes`: makes the mistakes in a separate sandbox or at a running instance, and prints the results.

import type { ControlClient } from '../../../control/contract.ts';
import type { Client, Profile } from '../../../control/schemas.ts';
import { causeEntry, CLIENT_GRANTS } from '../../../control/names.ts';
import { createEngine } from '../../../engine/engine.ts';
import { listInstances } from '../../../engine/run-file.ts';
import { takeGivenWorkspace } from '../../../engine/workspace/given.ts';
import { createProofKey } from '../../../oauth/dpop.ts';
import { assertionMethod } from '../../../scenario/defaults.ts';
import { mistakesAt, PLACES } from '../../../scenario/mistakes/index.ts';
import type { Place } from '../../../scenario/mistakes/mistake.ts';
import { makeMistake, type MistakeResult } from '../../../scenario/mistakes/run-mistakes.ts';
import type { Requester } from '../../../scenario/mistakes/needs.ts';
import { apiForMistakes } from '../../../scenario/protected-apis.ts';
import { createAssertionKeys } from '../../../scenario/runner/assertion-keys.ts';
import { createRun } from '../../../scenario/runner/create-run.ts';
import { sendOverControl } from '../../../scenario/runner/over-control.ts';
import type { ScenarioSandbox } from '../../../scenario/runner/scenario-sandbox.ts';
import { withControl } from '../../connect.ts';
import { dataFolder } from '../../data-folder.ts';
import { answerInWords } from '../../terminal/exchange-line.ts';
import { remark } from '../../terminal/print.ts';
import { type Column, table } from '../../terminal/table.ts';
import {
  report,
  type ReportedCase,
  type ReportOptions,
  scenarioOf,
  textsOf,
} from '../../reports.ts';

export interface MistakesOptions extends ReportOptions {
  readonly grant?: string;
  readonly profile?: Profile;
  readonly url?: string;
  readonly addKey?: boolean;
}

const EXIT = { as_expected: 0, not_as_expected: 1, nothing_run: 2 } as const;
const OTHER_AUDIENCE = 'https://orders.example/api';

const placesOf = (grant: string | undefined): readonly Place[] =>
  PLACES.filter(({ grants }) => grant === undefined || grants.includes(grant));

/** Whether a client may use a grant of the step. The last part of a URN is its name. */
const mayTake =
  ({ grants }: Place, grant: string | undefined) =>
  ({ grant_types }: Client): boolean =>
    grants.length === 0 ||
    grant_types.some((type) =>
      (grant === undefined ? grants : [grant]).some(
        (name) => type === name || type.endsWith(`:${name}`),
      ),
    );

/** Returns the client that makes the mistakes of a place; null if no client may use its grant. */
async function requesterAt(
  control: ControlClient,
  place: Place,
  { grant, former_token = null }: MistakesOptions & { readonly former_token?: string | null },
): Promise<Requester | null> {
  const { clients, users, audiences, apis = [], settings } = await control.workspace.get();
  const { issuer } = await control.server.get();
  const able = clients.filter(mayTake(place, grant));
  const [client, ...others] = able;
  if (client === undefined) return null;
  const [user] = users;
  const profile = client.profile ?? settings.profile;
  const others_with_secret = others.filter(({ client_secret }) => client_secret !== null);
  const signing_client = able.find(
    (one) =>
      assertionMethod(one.token_endpoint_auth_method) !== undefined &&
      one.jwks_uri === undefined &&
      (one.profile ?? settings.profile) === profile,
  );
  return {
    client,
    user: user === undefined ? null : { sub: user.sub, has_password: user.password !== null },
    proves: client.dpop_bound_access_tokens && profile === 'interop',
    pushes: [client, settings].some((one) => one.require_pushed_authorization_requests),
    other_client: others_with_secret[0] ?? null,
    signing_client: signing_client ?? null,
    other_audience:
      audiences.find(({ uri }) => uri !== client.default_audience)?.uri ?? OTHER_AUDIENCE,
    profile,
    settings,
    former_token,
    api: apiForMistakes(apis, issuer),
  };
}

async function makeAll(
  control: ControlClient,
  options: MistakesOptions & { readonly former_token?: string | null },
  assertionKey: ScenarioSandbox['assertionKey'],
): Promise<MistakeResult[]> {
  const { issuer, endpoints } = await control.server.get();
  const { clients, users } = await control.workspace.get();
  const run = createRun({
    control,
    issuer,
    endpoints,
    clients,
    users,
    send: sendOverControl(control, 'scenario'),
    ...(assertionKey === undefined ? {} : { assertionKey }),
    close: () => Promise.resolve(),
  });
  const results: MistakeResult[] = [];
  for (const place of placesOf(options.grant)) {
    const requester = await requesterAt(control, place, options);
    if (requester === null) {
      remark(`${place.title}: skipped, because no client may use this grant.`);
      continue;
    }
    for (const mistake of mistakesAt(place)) {
      results.push(await makeMistake(place, mistake, requester, run));
    }
  }
  return results;
}

/** Three clients that may use every grant, one of which signs assertions, a user with a password, and two audiences. */
async function workspaceWith(profile: Profile | undefined) {
  const { alg, public_jwk } = await createProofKey();
  const client = {
    client_secret: 'a-secret-of-this-sandbox',
    redirect_uris: ['http://localhost:3000/callback'],
    grant_types: [...CLIENT_GRANTS],
  };
  return {
    clients: [
      { ...client, client_id: 'app', client_name: 'App' },
      { ...client, client_id: 'other-app', client_name: 'Other app' },
      {
        ...client,
        client_id: 'signing-app',
        client_name: 'Signing app',
        client_secret: null,
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [{ ...public_jwk, kid: 'own', alg }] },
      },
    ],
    users: [{ sub: 'ada', name: 'Ada', email: 'ada@example.test', password: 'a-password' }],
    audiences: [{ uri: OTHER_AUDIENCE, name: 'Orders', scopes: ['orders:read'] }],
    settings: {
      profile: profile ?? 'documented',
      throttle: { mode: 'off' },
      registration: { mode: 'open' },
    },
  };
}

async function inOwnSandbox(options: MistakesOptions, version: string): Promise<MistakeResult[]> {
  const base = await takeGivenWorkspace(
    { members: await workspaceWith(options.profile), signing_alg: 'ES256' },
    'mistakes',
  );
  const engine = await createEngine({ port: 0, version, base });
  try {
    await engine.start();
    const control = await engine.getControl();
    const { access_token } = await control.tokens.mint({ client_id: 'app', scope: 'openid' });
    await control.reset({});
    return await makeAll(
      control,
      { ...options, former_token: access_token },
      createAssertionKeys(control).keyFor,
    );
  } finally {
    await engine.close();
  }
}

function atInstance(options: MistakesOptions, url: string): Promise<MistakeResult[]> {
  const isIssuer = listInstances(dataFolder()).some(
    ({ issuer }) => issuer === url.replace(/\/$/, ''),
  );
  const wanted = isIssuer ? { issuer: url.replace(/\/$/, '') } : { control: url };
  return withControl(wanted, async (control) => {
    const keys = createAssertionKeys(control);
    try {
      return await makeAll(control, options, options.addKey === true ? keys.keyFor : undefined);
    } finally {
      await keys.removeAll();
    }
  });
}

// For the reports, each place becomes a scenario and each of its mistakes a step.

function expectedWords({ expected }: Pick<MistakeResult, 'expected'>): string {
  return expected === 'accepted' ? 'accepted' : `rejected: ${expected}`;
}

function actualWords({ actual }: Pick<MistakeResult, 'actual'>): string {
  if (actual === null) return 'not sent';
  const answer = answerInWords(actual);
  return actual.reason === null ? answer : `${answer} (${actual.reason})`;
}

function caseOf(result: MistakeResult): ReportedCase {
  const { id, title, passed, skipped, section } = result;
  if (passed || skipped !== null) return { id, title, skipped, failure: null };
  const difference = {
    what: 'response',
    expected: expectedWords(result),
    got: actualWords(result),
  };
  const reason = result.actual?.reason ?? null;
  const failure = {
    message: `Unexpected response (${section}).`,
    differences: [difference],
    exchange: null,
    about: reason === null ? null : `docs/${causeEntry(reason)}`,
  };
  return { id, title, skipped, failure };
}

const scenariosOf = (results: readonly MistakeResult[]) =>
  PLACES.flatMap(({ id, title }) => {
    const cases = results.filter(({ step }) => step === id).map(caseOf);
    return cases.length === 0 ? [] : [scenarioOf(id, title, cases)];
  });

function totalsOf(results: readonly MistakeResult[]) {
  const skipped = results.filter((result) => result.skipped !== null).length;
  const passed = results.filter((result) => result.passed).length;
  return { passed, failed: results.length - passed - skipped, skipped };
}

const COLUMNS: readonly Column<MistakeResult>[] = [
  { title: 'STEP', cell: ({ step }) => step },
  { title: 'MISTAKE', cell: ({ id }) => ({ text: id, style: 'bold' }) },
  { title: 'EXPECTED', cell: expectedWords },
  { title: 'ACTUAL', cell: (result) => result.skipped ?? actualWords(result) },
  {
    title: 'RESULT',
    cell: ({ passed, skipped }) => {
      if (skipped !== null) return { text: 'skipped', style: 'dim' };
      return passed ? { text: 'passed', style: 'green' } : { text: 'FAILED', style: 'red' };
    },
  },
];

function tableOf(results: readonly MistakeResult[]): string {
  const { passed, failed, skipped } = totalsOf(results);
  const rest = skipped === 0 ? '' : `, ${skipped} skipped`;
  return `${table(results, COLUMNS, 'No mistakes were run.')}\n${passed} passed, ${failed} failed${rest}`;
}

/** @returns the exit code. @throws CommandError if the instance cannot be reached */
export async function makeMistakes(options: MistakesOptions, version: string): Promise<number> {
  const results =
    options.url === undefined
      ? await inOwnSandbox(options, version)
      : await atInstance(options, options.url);
  const totals = totalsOf(results);
  const json = () => JSON.stringify({ version, totals, mistakes: results }, null, 2);
  const texts = textsOf(scenariosOf(results), () => `${json()}\n`);
  const written = await report(options, { ...texts, table: () => tableOf(results) });
  if (!written || totals.passed + totals.failed === 0) return EXIT.nothing_run;
  return totals.failed > 0 ? EXIT.not_as_expected : EXIT.as_expected;
}
