// Saved walks in the current sandbox: they are recorded without its secrets and run in it again, and changes by a
// scenario are reverted.

import { describe, expect, test } from 'vitest';
import type { ControlClient } from '../../src/control/contract.ts';
import type { Exchange } from '../../src/control/schemas.ts';
import { openSandbox } from '../../src/renderer/views/flow/open-sandbox.ts';
import { parseScenarioInUse } from '../../src/scenario/parse.ts';
import { runScenario, type ScenarioResult } from '../../src/scenario/runner/run-steps.ts';
import { givenWorkspace, startEngine } from '../support/engine.ts';
import { scenarioText } from '../support/scenarios.ts';

const SECOND = {
  client_id: 'second',
  client_secret: 'second-secret',
  redirect_uris: ['http://localhost:4000/cb'],
};

interface Live {
  readonly control: ControlClient;
  readonly issuer: string;
  readonly exchanges: Exchange[];
  readonly run: (scenario: object, stopAfter?: number) => Promise<ScenarioResult>;
}

async function read(control: ControlClient, scenario: object) {
  const former = await control.workspace.get();
  return { parsed: await parseScenarioInUse(scenarioText({ ...scenario }), former), former };
}

async function live(members: Record<string, unknown> = {}): Promise<Live> {
  const { control, issuer } = await startEngine(await givenWorkspace(members));
  const exchanges: Exchange[] = [];
  return {
    control,
    issuer,
    exchanges,
    run: async (scenario, stopAfter = Infinity) => {
      const { parsed, former } = await read(control, scenario);
      if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
      const stopping = new AbortController();
      return runScenario('x', parsed, () =>
        openSandbox(parsed, {
          control,
          former,
          onStep: () => undefined,
          onExchange: (exchange) => {
            exchanges.push(exchange);
            if (exchanges.length >= stopAfter) stopping.abort();
          },
          signal: stopping.signal,
        }),
      );
    },
  };
}

const verdicts = ({ steps }: ScenarioResult) =>
  steps.map(({ verdict, failure }) => (failure === null ? verdict : failure));

const REFRESHED = [
  { issue_tokens: { client: 'demo-app' } },
  { token: { grant: 'refresh_token', client: 'demo-app' }, expect: { status: 200 } },
];

describe('a scenario in the current sandbox', () => {
  test('runs with the clients that are registered there', async () => {
    const bench = await live();
    expect(verdicts(await bench.run({ steps: REFRESHED }))).toEqual(['passed', 'passed']);
    expect(bench.exchanges).toHaveLength(1);
  });

  test('finds its own exchanges while other clients send requests', async () => {
    const bench = await live();
    const others = Array.from({ length: 5 }, () =>
      bench.control.requests.send({ method: 'GET', path: '/nowhere', headers: {} }),
    );
    const ran = bench.run({
      steps: [
        {
          token: { grant: 'refresh_token', fields: { refresh_token: 'x' } },
          expect: { status: 400, failed_check: 'credential_known' },
          repeat: 5,
        },
      ],
    });
    await Promise.all(others);
    expect(verdicts(await ran)).toEqual(['passed']);
  });

  test('is not run with a client that is not registered: the problem names the member', async () => {
    const bench = await live();
    const { parsed } = await read(bench.control, {
      steps: [{ issue_tokens: { client: 'gone' } }],
    });
    expect(parsed).toMatchObject({
      problems: [
        {
          path: 'steps[0].issue_tokens.client',
          message: 'is "gone", which is not a client of the workspace; there is demo-app',
        },
      ],
    });
  });

  test('applies its provider shape, and restores the former shape afterwards', async () => {
    const scenario = {
      workspace: { shape: { provider: 'auth0' } },
      steps: [
        { request: { path: '/.well-known/openid-configuration' }, expect: { status: 200 } },
        ...REFRESHED,
      ],
    };
    for (const members of [{}, { shape: { provider: 'okta' } }]) {
      const bench = await live(members);
      const before = await bench.control.workspace.get();
      expect(verdicts(await bench.run(scenario))).toEqual(['passed', 'passed', 'passed']);
      const discovery = JSON.parse(bench.exchanges[0]?.response.body ?? '') as object;
      expect(discovery).toHaveProperty('userinfo_endpoint', expect.stringMatching(/\d\/userinfo$/));
      expect(await bench.control.workspace.get()).toEqual(before);
    }
  });

  test('sends requests to the endpoints of its provider shape', async () => {
    const bench = await live();
    const scenario = {
      workspace: { shape: { provider: 'keycloak', parameters: { realm: ['shop'] } } },
      steps: [
        { authorize: { sign_in: 'approve' }, expect: { status: 303 } },
        { token: { grant: 'authorization_code' }, expect: { status: 200 } },
        { request: { path: '/userinfo' }, expect: { status: 401 } },
      ],
    };
    expect(verdicts(await bench.run(scenario))).toEqual(['passed', 'passed', 'passed']);
    const place = '/realms/shop/protocol/openid-connect';
    const paths = bench.exchanges.map(({ path }) => path.split('?')[0]);
    expect([...new Set(paths)]).toEqual([`${place}/auth`, `${place}/token`, '/userinfo']);
  });

  test('runs in its own workspace, and restores the former workspace with its tokens afterwards', async () => {
    const bench = await live({ settings: { profile: 'strict', throttle: { limit: 7 } } });
    const { control } = bench;
    const { refresh_token, access_token } = await control.tokens.mint({ client_id: 'demo-app' });
    const keys = await control.keys.list();
    const before = await control.workspace.get();
    const result = await bench.run({
      workspace: { clients: [SECOND], settings: { signing_alg: 'EdDSA', throttle: { limit: 1 } } },
      steps: [
        { issue_tokens: {} },
        { token: { grant: 'refresh_token' }, expect: { status: 200 } },
        { token: { grant: 'refresh_token' }, expect: { status: 429 } },
      ],
    });
    expect(verdicts(result)).toEqual(['passed', 'passed', 'passed']);
    expect(await control.workspace.get()).toEqual(before);
    expect(await control.keys.list()).toEqual(keys);
    const held = await control.tokens.list({ text: access_token });
    expect(held.items[0]?.state).toBe('active');
    const again = await bench.run({
      steps: [
        {
          token: { grant: 'refresh_token', fields: { refresh_token } },
          expect: { status: 200 },
        },
      ],
    });
    expect(verdicts(again)).toEqual(['passed']);
  });

  test.each([
    ['running', {}, 0],
    ['ahead', { advance_seconds: 3600 }, 3600],
    ['frozen', { frozen: true }, 0],
  ])('restores a clock that was %s', async (_what, change, offset) => {
    const bench = await live();
    const { control } = bench;
    if (Object.keys(change).length > 0) await control.clock.update(change);
    const before = await control.clock.get();
    await bench.run({
      steps: [{ clock: { frozen: true } }, { clock: { advance_seconds: 90_000 } }, ...REFRESHED],
    });
    const after = await control.clock.get();
    expect(after.frozen).toBe(before.frozen);
    if (before.frozen) expect(after.now).toBe(before.now);
    else expect(after.offset_seconds).toBeCloseTo(offset, 0);
  });

  test('a workspace that is imported elsewhere meanwhile stays, and its keys too', async () => {
    const { control } = await live();
    const { parsed, former } = await read(control, {
      workspace: { clients: [SECOND] },
      steps: REFRESHED.slice(0, 1),
    });
    if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
    const sandbox = await openSandbox(parsed, { control, former, onStep: () => undefined });
    await control.workspace.put({ ...former, name: 'Imported' });
    await control.keys.create({});
    await sandbox.close();
    expect((await control.workspace.get()).name).toBe('Imported');
    expect((await control.keys.list()).items).toHaveLength(2);
  });

  test('arms its faults before existing ones, and removes its own afterwards', async () => {
    const bench = await live();
    const { control } = bench;
    await control.faults.create({ preset: 'lost', id: 'theirs' });
    const result = await bench.run({
      steps: [
        REFRESHED[0],
        {
          fault: {
            when: 'instead',
            times: 1,
            effect: { kind: 'answer', status: 418, headers: [], body: '' },
          },
        },
        { token: { grant: 'refresh_token' }, expect: { status: 418 } },
        { fault: 'throttled_twice' },
      ],
    });
    expect(verdicts(result)).toEqual(['passed', 'passed', 'passed', 'passed']);
    const { items } = await control.faults.list({});
    expect(items.map(({ id }) => id)).toEqual(['theirs']);
  });

  test('changes nothing when control rejects it', async () => {
    const bench = await live();
    const { control } = bench;
    const before = await control.workspace.get();
    const clients = [{ ...SECOND, default_audience: 'https://nobody.example/' }];
    await expect(
      bench.run({ workspace: { clients }, steps: [{ clock: { advance_seconds: 5 } }] }),
    ).rejects.toThrow(/default_audience/);
    expect(await control.workspace.get()).toEqual(before);
  });

  test('can be stopped before its next request, and reverts its changes', async () => {
    const bench = await live();
    const { control } = bench;
    const result = await bench.run(
      {
        workspace: { clients: [SECOND] },
        steps: [
          { issue_tokens: {} },
          {
            token: { grant: 'refresh_token' },
            repeat: 100,
          },
        ],
      },
      3,
    );
    expect(result.steps.at(-1)?.failure?.message).toBe('the run was stopped');
    expect(bench.exchanges).toHaveLength(3);
    expect((await control.clients.list({})).items).toHaveLength(1);
  });
});
