// Flows saved by earlier versions, converted to scenarios: they run in the sandbox in use with the answers
// that were saved, hold no secret, and what cannot be converted is told with its reason.

import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../src/engine/engine.ts';
import { takeGivenWorkspace } from '../../src/engine/workspace/given.ts';
import { MISTAKES } from '../../src/renderer/views/flow/mistakes/by-step.ts';
import type { Mistake } from '../../src/renderer/views/flow/mistakes/mistake.ts';
import { openLiveSandbox } from '../../src/renderer/views/flow/replay/live-sandbox.ts';
import { convertFlows, type Present } from '../../src/renderer/views/flow/saved/former/convert.ts';
import type { FormerFlow } from '../../src/renderer/views/flow/saved/former/former-flow.ts';
import { parseScenarioInUse } from '../../src/scenario/reader/in-use.ts';
import { runScenario } from '../../src/scenario/runner/run.ts';
import { client } from '../support/core.ts';

const FIXTURE = new URL('../replay/corpus/documents/saved-flows.json', import.meta.url);
const [MISTAKEN, SIGNED_IN] = JSON.parse(readFileSync(FIXTURE, 'utf8')) as [FormerFlow, FormerFlow];

const DEMO = client({ client_id: 'demo-app', client_secret: 'demo-secret' });
const SECOND = client({ client_id: 'second', client_secret: 'second-secret' });
const PRESENT: Present = { clients: [SECOND, DEMO], issuer: 'http://localhost:4280' };

const converted = (flows: unknown, present = PRESENT) =>
  convertFlows(JSON.stringify(flows), present);

type Script = FormerFlow['script'];
const withScript = (script: Script): FormerFlow => ({ ...SIGNED_IN, script });
const reasonOf = (script: unknown) =>
  converted([{ ...SIGNED_IN, script }]).unconverted[0]?.reason ?? null;

async function runs(scenario: object, members: Record<string, unknown> = {}) {
  const base = await takeGivenWorkspace({ members, signing_alg: 'ES256' }, 'test');
  const engine = await createEngine({ port: 0, version: 'test', base });
  await engine.start();
  onTestFinished(engine.close);
  const control = await engine.getControl();
  const former = await control.workspace.get();
  const parsed = await parseScenarioInUse(JSON.stringify(scenario), former);
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  const nothing = () => undefined;
  const ports = {
    onStep: nothing,
    onExchange: nothing,
    onIssued: nothing,
    onDecided: nothing,
    isStopped: () => false,
  };
  const { steps } = await runScenario('x', parsed, () =>
    openLiveSandbox(parsed, { control, former, ...ports }),
  );
  return steps.flatMap(({ failure }) => failure ?? []);
}

describe('flows of an earlier version', () => {
  test('become scenarios of their names and times, and run with the answers that were saved', async () => {
    const { flows, unconverted } = converted([MISTAKEN, SIGNED_IN]);
    expect(unconverted).toEqual([]);
    expect(flows.map(({ saved_at, scenario: { name } }) => [name, saved_at])).toEqual([
      ['Mistakes', MISTAKEN.saved_at],
      ['Sign in and refresh', SIGNED_IN.saved_at],
    ]);
    for (const { scenario } of flows) expect(await runs(scenario)).toEqual([]);
  });

  test('name their client and user, and hold nothing that stood in for a secret', () => {
    const { flows } = converted([MISTAKEN, SIGNED_IN]);
    expect(flows[1]?.scenario.steps).toMatchObject([
      {
        authorize: { client: 'demo-app', user: 'ada' },
        expect: { status: 303 },
      },
      { token: { grant: 'authorization_code', client: 'demo-app' }, expect: { status: 200 } },
      { token: { grant: 'refresh_token', client: 'demo-app' }, expect: { status: 200 } },
      { request: { path: '/userinfo' }, expect: { status: 200 } },
    ]);
    const text = JSON.stringify(flows);
    expect(text).not.toMatch(/stand-in|demo-secret|second-secret|eyJ/);
    expect(text).not.toContain('workspace');
  });

  test('of a client that is not registered here are converted all the same', () => {
    const { flows } = converted([SIGNED_IN], { ...PRESENT, clients: [] });
    expect(flows[0]?.scenario.steps[0]).toMatchObject({ authorize: { client: 'demo-app' } });
  });

  test('do first what a step needed that was saved by itself', () => {
    const { flows } = converted([
      withScript([{ step: 'refresh', mistake: null, came: { status: 200, error: null } }]),
    ]);
    const { steps } = flows[0]!.scenario;
    expect(steps.map((step) => Object.keys(step as object)[0])).toEqual([
      'authorize',
      'token',
      'token',
    ]);
    expect(steps.map((step) => Object.hasOwn(step as object, 'expect'))).toEqual([
      false,
      false,
      true,
    ]);
  });

  test.each([
    ['until throttled', [{ step: 'hammer', mistake: null, came: null }], /throttle settings/],
    [
      'with a mistake that was prepared',
      [{ step: 'api', mistake: 'revoked', came: { status: 401, error: 'invalid_token' } }],
      /needs requests before it that were not saved/,
    ],
    [
      'with a mistake of another version',
      [{ step: 'api', mistake: 'sideways', came: { status: 401, error: null } }],
      /does not know/,
    ],
    [
      'with a step that failed before it was sent',
      [{ step: 'refresh', mistake: null, came: null }],
      /had sent nothing/,
    ],
    ['of nothing', [{ step: 'client', mistake: null, came: null }], /it sends nothing/],
    ['that cannot be read', [{ step: 'dance', mistake: null, came: null }], /script\.0\.step/],
  ])('%s are listed with the reason', (_what, script, reason) => {
    expect(reasonOf(script)).toMatch(reason);
  });

  test('that are no JSON are listed, and one that cannot be read leaves the others', () => {
    expect(convertFlows('[{', PRESENT).unconverted).toHaveLength(1);
    const { flows, unconverted } = converted([{ name: 'Odd' }, SIGNED_IN]);
    expect(flows).toHaveLength(1);
    expect(unconverted.map(({ name }) => name)).toEqual(['Odd']);
  });

  /** The steps of that version with mistakes. */
  const BROKEN = ['code', 'exchange', 'refresh', 'api'] as const;
  const ALL = BROKEN.flatMap((step) =>
    MISTAKES[step].flatMap(({ mistakes }) =>
      mistakes.map((mistake: Mistake) => ({ step, id: mistake.id })),
    ),
  );
  test.each(ALL)('with $step $id are converted without a secret, or listed', ({ step, id }) => {
    const came = { status: 400, error: 'invalid_request' };
    const { flows, unconverted } = converted([withScript([{ step, mistake: id, came }])]);
    expect(flows.length + unconverted.length).toBe(1);
    expect(JSON.stringify(flows)).not.toMatch(/stand-in|eyJ/);
  });
});
