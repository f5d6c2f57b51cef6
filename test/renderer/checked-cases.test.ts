// Check your app: the result of each case for the chosen client, and the start of a case.

import { expect, test, vi } from 'vitest';
import type { CheckResult } from '../../src/control/schemas.ts';
import { LISTED_CASES } from '../../src/engine/client-cases.ts';
import { page } from '../../src/renderer/connection/state.ts';
import { navigate } from '../../src/renderer/navigation/route.ts';
import { checkedCases, startCase } from '../../src/renderer/views/check/check.ts';
import { startHarness } from '../support/harness.ts';
import { openPage } from '../support/page.ts';

const cases = LISTED_CASES.filter(({ id }) => id === 'token-500');

const resultOf = (given: Partial<CheckResult>): CheckResult => ({
  id: 'token-500',
  title: 'Token endpoint fails',
  level: 'should',
  expected: 'refuse',
  client_id: null,
  result: 'unclear',
  why: '',
  fault: false,
  section: '',
  advice: '',
  libraries: [],
  awaits_good_login: true,
  reached_exchange: 1,
  seen_exchange: null,
  ended_at: '2026-03-01T10:00:00.000Z',
  ...given,
});

test('a recorded result shows before it is loaded, and then as the server has it', () => {
  const recorded = resultOf({});
  const chosen = { client_id: null, ended: recorded };
  const resultIn = (known: Parameters<typeof checkedCases>[0], at = chosen) =>
    checkedCases(known, at).map(({ found }) => found?.result ?? null);

  expect(resultIn({ cases, results: [], ended: null })).toEqual(['unclear']);
  const former = [resultOf({ result: 'not_reached' })];
  expect(resultIn({ cases, results: former, ended: null })).toEqual(['unclear']);
  const confirmed = [resultOf({ result: 'refused' })];
  expect(resultIn({ cases, results: confirmed, ended: recorded })).toEqual(['refused']);
  expect(resultIn({ cases, results: [], ended: recorded }), 'deleted').toEqual([null]);
  const other = { client_id: 'other-app', ended: resultOf({}) };
  expect(checkedCases({ cases, results: [], ended: null }, other)[0]?.found).toBeNull();
});

test('a case that is slow to start does not close another one that was opened meanwhile', async () => {
  await openPage(await startHarness());
  const opened = vi.spyOn(history, 'pushState');
  const starting = startCase({ id: 'token-500' });
  await navigate('check', 'token-type-unknown');
  await starting;
  expect(page.getState().client_check).toMatchObject({ case: 'token-500' });
  expect(opened.mock.calls.map(([, , address]) => address)).toEqual([
    '#/check/token-500',
    '#/check/token-type-unknown',
  ]);
  await navigate('flow');
});
