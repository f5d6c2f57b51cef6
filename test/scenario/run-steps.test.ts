// The results of a scenario's steps, in a sandbox whose responses are given.

import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/control/schemas.ts';
import { runScenario, skippedScenario } from '../../src/scenario/runner/run-steps.ts';
import { exchangeOf, type ExchangeMembers } from '../support/exchanges.ts';
import { type Recorded, recordedSandbox } from '../support/recorded-sandbox.ts';
import { parsedScenario } from '../support/scenarios.ts';

/** Runs the steps. Returns their results, the indexes of those that began, and how often the sandbox was closed. */
async function run(steps: readonly object[], recorded: Recorded = {}) {
  const begun: number[] = [];
  let closed = 0;
  const { sandbox } = recordedSandbox({
    ...recorded,
    sandbox: {
      onStep: (index) => begun.push(index),
      close: () => {
        closed += 1;
        return Promise.resolve();
      },
      ...recorded.sandbox,
    },
  });
  const scenario = await parsedScenario({ steps });
  const ended = runScenario('it.json', scenario, () => Promise.resolve(sandbox));
  const result = await ended.catch((error: unknown) => ({ error }));
  return { result, begun, closed };
}

/** The failure of the first step. */
async function failureOf(steps: readonly object[], recorded: Recorded = {}) {
  const { result } = await run(steps, recorded);
  if ('error' in result) throw result.error;
  return result.steps[0]?.failure ?? null;
}

const GET = { request: { path: '/userinfo' } };

describe('a scenario', () => {
  it('whose responses are as expected has passed', async () => {
    const steps = [
      { ...GET, expect: { status: 200 } },
      { name: 'Named', ...GET },
    ];
    const { result, begun, closed } = await run(steps);
    const passed = { verdict: 'passed', failure: null, column: 5 };
    expect(result).toEqual({
      file: 'it.json',
      name: 'It',
      verdict: 'passed',
      duration_ms: expect.any(Number),
      steps: [
        { title: 'GET /userinfo', line: 6, ...passed },
        { title: 'Named', line: 14, ...passed },
      ],
    });
    expect(begun).toEqual([0, 1]);
    expect(closed).toBe(1);
  });

  it('ends at the first unexpected response, and the other steps are skipped', async () => {
    const steps = [GET, { ...GET, expect: { status: 500 } }, GET, GET];
    const { result, begun } = await run(steps);
    expect(result).toMatchObject({
      verdict: 'failed',
      steps: [
        { verdict: 'passed' },
        { verdict: 'failed', failure: { message: '1 value differs from what was expected' } },
        { verdict: 'skipped', failure: null, why_skipped: 'an earlier step failed' },
        { verdict: 'skipped', failure: null, why_skipped: 'an earlier step failed' },
      ],
    });
    expect(begun).toEqual([0, 1]);
  });

  it('that never ran is skipped with its steps', async () => {
    expect(
      skippedScenario('it.json', await parsedScenario({ steps: [{ name: 'Named', ...GET }] })),
    ).toEqual({
      file: 'it.json',
      name: 'It',
      verdict: 'skipped',
      duration_ms: 0,
      steps: [
        {
          title: 'Named',
          line: 6,
          column: 5,
          verdict: 'skipped',
          failure: null,
          why_skipped: 'an earlier scenario failed',
        },
      ],
    });
  });
});

describe('a failed step', () => {
  it('lists each value that differs, and a missing value to save', async () => {
    const step = { ...GET, expect: { status: 500, error: 'x' }, save: { a: 'body.a' } };
    const failure = await failureOf([step]);
    expect(failure?.message).toBe('3 values differ from what was expected');
    expect(failure?.differences).toMatchObject([
      { what: 'status', expected: '500', got: '200' },
      { what: 'error' },
      { what: 'body.a', expected: 'a value to save as {{a}}', got: 'nothing' },
    ]);
  });

  const responses = [{}, { status: 400 }, { status: 400 }];

  it('that is repeated names the first repetition with an unexpected response', async () => {
    const failure = await failureOf([{ ...GET, repeat: 3, expect: { status: 200 } }], {
      responses,
    });
    expect(failure?.message).toBe('1 value differs from what was expected in repetition 2 of 3');
  });

  it('that is repeated at a rate compares the number of responses with each status', async () => {
    const step = { ...GET, repeat: { times: 3 }, expect: { statuses: { 200: 3 } } };
    const failure = await failureOf([step], { responses });
    expect(failure?.message).toBe('1 value differs from what was expected');
    expect(failure?.differences).toEqual([{ what: 'statuses.200', expected: '3', got: '1' }]);
    const right = { ...step, expect: { statuses: { 200: 1, 400: 2, 429: 0 } } };
    expect(await failureOf([right], { responses })).toBeNull();
  });

  it('has the message of a value that is missing, or of an error of control', async () => {
    const missing = await failureOf([{ request: { path: '/', text: '{{client.redirect_uri}}' } }], {
      sandbox: { clients: [] },
    });
    expect(missing).toEqual({
      message: '{{client.redirect_uri}} has no value, because the client has none',
      differences: [],
      exchange: null,
      about: null,
    });
    const onCall = () => {
      throw Object.assign(new Error('unknown client'), { code: 'not_found' });
    };
    expect((await failureOf([{ issue_code: {} }], { onCall }))?.message).toBe('unknown client');
  });

  it.each<unknown>([new Error('lost'), { code: 'lost', message: 'no Error' }])(
    'is no result of an error of the runner, which closes the sandbox: %o',
    async (error) => {
      const send = () => {
        throw error;
      };
      const { result, closed } = await run([GET], { sandbox: { send } });
      expect(result).toEqual({ error });
      expect(closed).toBe(1);
    },
  );
});

describe('the exchange of a failed step', () => {
  const textOf = async (members: ExchangeMembers) => {
    const exchange = exchangeOf({ number: 4, method: 'POST', path: '/x?a=1', ...members });
    const responses = [{ status: exchange.status, exchange }];
    return failureOf([{ ...GET, expect: { status: 299 } }], { responses });
  };
  const why = { reason: 'code_unknown', check: 'code', summary: 'No such code.' };

  it('is told with its status', async () => {
    expect(await textOf({ status: 201 })).toMatchObject({
      exchange: 'exchange 4: POST /x got 201',
      about: null,
    });
    expect((await textOf({ status: 0 }))?.exchange).toBe('exchange 4: POST /x got no response');
  });

  it('is told with the error and its cause, which the documentation describes', async () => {
    const rejected = { status: 400, error: 'invalid_grant', why: { ...why, detail: null } };
    expect(await textOf(rejected as ExchangeMembers)).toMatchObject({
      exchange: 'exchange 4: POST /x got 400 invalid_grant: No such code.',
      about: 'docs/reference/causes.md#code_unknown',
    });
    const detailed = { ...rejected, why: { ...why, detail: 'never issued here' } };
    expect((await textOf(detailed as ExchangeMembers))?.exchange).toBe(
      'exchange 4: POST /x got 400 invalid_grant: No such code: never issued here',
    );
  });

  it('is its response if none was recorded, as at a provider', async () => {
    const responses = [{ status: 400, text: '{"error":"invalid_grant"}', exchange: null }];
    const onCall = () => ({ items: [] });
    const failure = await failureOf([{ ...GET, expect: { status: 200 } }], { responses, onCall });
    expect(failure?.exchange).toBe('got 400 invalid_grant');
  });

  it('is told with the injected fault', async () => {
    const fault = { what: 'Sent 503.' } as unknown as Exchange['fault'];
    expect((await textOf({ status: 503, fault }))?.exchange).toBe(
      'exchange 4: POST /x got 503: injected fault: Sent 503.',
    );
  });
});

it('results contain no secrets, but their names', async () => {
  const token = 'a-token-of-this-run-0123456789';
  const responses = [{ text: JSON.stringify({ access_token: token }) }];
  const step = {
    name: 'with demo-secret and lovelace',
    token: { grant: 'client_credentials' },
    expect: { body: { access_token: 'lovelace' } },
  };
  const { result } = await run([step], { responses });
  expect(result).toMatchObject({
    steps: [
      {
        title: 'with [client_secret] and [password]',
        failure: {
          differences: [
            {
              what: 'body.access_token',
              expected: '"[user.password]"',
              got: '"[access_token]"',
            },
          ],
        },
      },
    ],
  });
});
