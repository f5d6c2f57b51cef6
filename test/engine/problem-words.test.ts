// Every problem with a document or a control request names the member and the rule in our own words: no words of the
// schema library, and nothing that is merely "not valid".

import { expect, it } from 'vitest';
import { contract } from '../../src/control/contract.ts';
import { IN_WORDS, type Problem, problemsOf } from '../../src/core/records/problems.ts';
import { z } from '../../src/core/records/zod.ts';
import { DEMO_WORKSPACE } from '../../src/engine/workspace/demo.ts';
import { readScenario } from '../../src/cli/commands/run/own-sandbox.ts';
import { parseWorkspace } from '../../src/engine/workspace/document.ts';

const WRONG: readonly unknown[] = [
  null,
  true,
  '',
  'a b',
  '\n',
  'ü',
  'x'.repeat(3000),
  -1,
  1.5,
  1e300,
  [],
  {},
  [5],
  [null],
  [[]],
  { x: 1 },
  [{}],
  ['x', 'x'],
  ['x', 'y', 'z'],
];

/** Variants of the value in which one part, at any depth, is replaced, omitted or repeated. */
function* wrong(value: unknown): Generator {
  yield* WRONG;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const other of wrong(item)) yield value.with(index, other);
    }
    yield [...(value as unknown[]), ...(value as unknown[])];
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      for (const other of wrong(member)) yield { ...value, [name]: other };
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
    }
    yield { ...value, extra: 1, '': 1 };
  }
}

const OURS =
  /^(must (be|have|not|contain|begin|identify) |is (required|not a known member|not a private key that can sign|not a matcher|not allowed|a |"|\S+: written by)|(repeats|needs|uses|sends) )/;
const LIBRARY =
  /invalid (input|string|key|option)|expected |received|too (small|big)|NaN|\^|not valid/i;

const unclear = (problems: readonly Problem[]) =>
  problems.filter(({ message }) => !OURS.test(message) || LIBRARY.test(message));

const RULE = {
  id: 'a',
  name: 'n',
  when: 'after',
  match: { path: '/x', method: 'GET', grant_type: 'a', client_id: 'b' },
  times: 1,
  probability: 1,
  seed: 1,
  delay_ms: 1,
};
const FAULT = {
  ...RULE,
  effect: { kind: 'answer', status: 500, headers: [['a', 'b']], body: 'x' },
};
const FAULTS = [
  FAULT,
  { ...RULE, id: 'b', effect: { kind: 'cut', after_bytes: 5 } },
  { ...RULE, id: 'c', effect: { kind: 'expires_in', as: 'huge' } },
];
const JWK = { kty: 'EC', alg: 'ES256', crv: 'P-256', x: 'AA', y: 'AA', kid: 'k', use: 'sig' };
const CLIENT = {
  ...DEMO_WORKSPACE.clients[0],
  claims: { a: 1 },
  throttle: { limit: 5, window_seconds: 5, mode: 'off' },
  default_audience: 'https://orders.example/api',
};
const KEYED = {
  client_id: 'keyed',
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [JWK] },
};
const WORKSPACE = {
  ...DEMO_WORKSPACE,
  clients: [CLIENT, KEYED],
  faults: FAULTS,
  keys: [{ ...JWK, d: 'AA' }],
};

it('of a workspace', async () => {
  const found: Problem[] = [];
  for (const [name, member] of Object.entries(WORKSPACE)) {
    for (const document of wrong({ version: 1, [name]: member })) {
      const checked = await parseWorkspace(JSON.stringify(document));
      if ('problems' in checked) found.push(...unclear(checked.problems));
    }
  }
  expect(found).toEqual([]);
});

const STEPS = [
  {
    name: 's',
    token: { grant: 'x', client_auth: 'body', format: 'json', fields: {}, query: { a: ['b'] } },
    repeat: 2,
    expect: { status: 200, body: { a: { $type: 'string' } }, headers: { a: 'b' }, advisories: [] },
    save: { a: 'body.x' },
  },
  { issue_code: { audience: null, pkce: 'S256', code_expires_in: 5 } },
  { authorize: { parameters: { a: 'b', c: ['d'], e: null }, sign_in: 'deny' } },
  { request: { method: 'GET', path: '/x', headers: { a: 'b' }, form: { a: 'b' } } },
  { clock: { advance_seconds: 5 } },
  { clock: { now: '2026-01-01T00:00:00Z' } },
  { fault: 'throttled_twice' },
  { fault: FAULT },
  { revoke: 'x' },
];

it('of a scenario', async () => {
  const scenario = { format: 'grantbench-scenario', version: 1, name: 'n' };
  const workspace = { clients: [{ client_id: 'a', client_secret: 'b' }], settings: {} };
  const documents = [
    ...wrong({ ...scenario, workspace, steps: [{ revoke: 'x' }] }),
    ...STEPS.flatMap((step) => [...wrong([step])].map((steps) => ({ ...scenario, steps }))),
  ];
  const found: Problem[] = [];
  for (const document of documents) {
    const read = await readScenario(JSON.stringify(document));
    if ('problems' in read) found.push(...unclear(read.problems));
  }
  expect(found).toEqual([]);
});

/** Example members of requests, each for an operation that has it. */
const ASKED: readonly object[] = [
  CLIENT,
  FAULT,
  { preset: 'x' },
  { advance_seconds: 5 },
  { frozen: true },
  { reset: true },
  { now: '2026-01-01T00:00:00Z' },
  { alg: 'ES256' },
  { jwk: { ...JWK, d: 'AA' } },
  { workspace: true },
  { port: 5 },
  WORKSPACE,
  DEMO_WORKSPACE.settings,
  { method: 'GET', path: '/x', headers: [['a', 'b']], body: 'x', secrets: 'true' },
  { id: 'x', kid: 'x', secrets: true, kind: 'code', state: 'active', lineage_id: 'x' },
  { limit: '5', after: 'x', status: 200, wait_seconds: 1, error: 'x', client_id: 'x' },
  { client_id: 'x', redirect_uri: 'https://a.test/', scope: 'a', audience: 'x', sub: 'u' },
  { sub: 'x', name: 'n', email: 'e', claims: {} },
  { uri: 'https://a.test', name: '', scopes: ['a'] },
];

interface Procedure {
  readonly '~orpc': { readonly inputSchema?: z.ZodMiniType };
}

/** The name and schema of each operation with parameters. */
function* inputsIn(router: object, name = ''): Generator<[string, z.ZodMiniType]> {
  for (const [key, item] of Object.entries(router) as [string, object][]) {
    if (!('~orpc' in item)) yield* inputsIn(item, `${name}${key}.`);
    else {
      const { inputSchema } = (item as Procedure)['~orpc'];
      if (inputSchema !== undefined) yield [name + key, inputSchema];
    }
  }
}

function problemsIn(schema: z.ZodMiniType, input: unknown): readonly Problem[] {
  const { error } = schema.safeParse(input, IN_WORDS);
  return problemsOf(error?.issues ?? [], input);
}

/** The members of the operation. Unknown members are among the problems anyway. */
function known(schema: z.ZodMiniType, asked: object): object {
  if (!(schema instanceof z.ZodMiniObject)) return asked;
  return Object.fromEntries(Object.entries(asked).filter(([name]) => name in schema.shape));
}

it.each([...inputsIn(contract)])('of a request to %s', (_, schema) => {
  const requests = ASKED.map((asked) => known(schema, asked));
  const filled = requests.filter((request) => Object.keys(request).length > 0);
  const found: Problem[] = [];
  for (const request of [{}, ...filled]) {
    for (const input of wrong(request)) found.push(...unclear(problemsIn(schema, input)));
  }
  expect(found).toEqual([]);
});
