// Reads the report of a run against a provider: each problem has a position, and each list a bound.

import { describe, expect, it } from 'vitest';
import { readProviderReport } from '../../src/scenario/reports/json.ts';

const STEP = { title: 'A', verdict: 'passed', line: 3, column: 5, failure: null };
const scenario = (steps: readonly object[]) => ({
  file: 'a.json',
  name: 'A',
  verdict: 'passed',
  steps,
});
const report = (scenarios: readonly object[]) => ({ against: 'https://as.example', scenarios });
const read = (value: object) => readProviderReport(JSON.stringify(value));
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('a report of a run at a provider', () => {
  it('is read; members of a newer version are ignored', () => {
    const compared = [{ what: 'status', sandbox: '200', provider: null }];
    const given = report([scenario([STEP, { ...STEP, why_skipped: 'because', compared }])]);
    expect(read({ ...given, newer: 1 })).toEqual(given);
  });

  it.each([
    [{ scenarios: [] }, /^1:1 against is required$/],
    [
      report([scenario([{ ...STEP, verdict: 'maybe' }])]),
      /verdict must be passed, failed or skipped$/,
    ],
    [
      report([scenario([{ ...STEP, failure: { message: 'no' } }])]),
      /failure\.differences is required$/,
    ],
    [report(times(2001, scenario([]))), /scenarios must have at most 2000 entries$/],
    [report([scenario(times(2001, STEP))]), /steps must have at most 2000 entries$/],
    [
      report(times(3, scenario(times(2000, STEP)))),
      /scenarios must have at most 5000 steps in all$/,
    ],
  ])('with a fault is refused, with the place of it', (given, problem) => {
    expect(read(given)).toEqual({ problems: [expect.stringMatching(problem)] });
  });

  it('that is no JSON is refused where it ends', () => {
    expect(readProviderReport('{"against": ')).toEqual({
      problems: [expect.stringMatching(/^1:\d+ /)],
    });
  });
});
