// What happened, as a document: JSON for programs, JUnit for the page of a CI server.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { exchangeLine } from '../../terminal/exchange-line.ts';
import { junitDocument, type JunitCase } from '../../../scenario/reports/junit-xml.ts';
import type { Finding, RunSummary } from './run-summary.ts';
import type { FailOn } from './options.ts';
import { FAIL_ON } from './options.ts';

export interface Run {
  /** Its name alone: arguments may hold secrets. */
  readonly command: string;
  readonly exit_code: number;
  readonly duration_ms: number;
  readonly version: string;
  /** What it was to fail on, and did. */
  readonly failed_on: readonly FailOn[];
  readonly summary: RunSummary;
}

/** Refusals of one cause together, the most frequent first. */
function byCause(findings: readonly Finding[]) {
  const numbers = new Map<string, number[]>();
  for (const { text, exchange } of findings) {
    numbers.set(text, [...(numbers.get(text) ?? []), exchange]);
  }
  return [...numbers]
    .map(([cause, exchanges]) => ({ cause, count: exchanges.length, exchanges }))
    .sort((a, b) => b.count - a.count);
}

function jsonReport({ summary, ...run }: Run): string {
  const { total, faults, found, exchanges } = summary;
  const totals = {
    exchanges: total,
    refused: found.refused.length,
    throttled: found.throttled.length,
    over_fetch: found['over-fetch'].length,
    deviations: found.deviation.length,
    faults,
  };
  const lists = {
    refused_by_cause: byCause(found.refused),
    throttled: found.throttled,
    over_fetch: found['over-fetch'],
    deviations: found.deviation,
  };
  return `${JSON.stringify({ ...run, totals, ...lists, exchanges }, null, 2)}\n`;
}

const testCase = (name: string, failure: string | null, output: string): JunitCase => ({
  classname: 'grantbench.exec',
  name,
  failure: failure === null ? null : { message: failure, text: '' },
  skipped: null,
  output,
});

function kindCase({ failed_on, summary }: Run, kind: FailOn): JunitCase {
  const found = summary.found[kind];
  const lines = found.map(({ exchange, text }) => `exchange ${exchange}: ${text}`);
  const failure = failed_on.includes(kind) ? `${found.length} × ${kind}` : null;
  return testCase(`no ${kind}`, failure, lines.join('\n'));
}

function junitReport(run: Run): string {
  const { command, exit_code, duration_ms, summary } = run;
  const ended = exit_code === 0 ? null : `it ended with ${exit_code}`;
  const lines = summary.exchanges.map((exchange) => exchangeLine(exchange, false));
  const cases = [
    testCase(`${command} ends with 0`, ended, ''),
    ...FAIL_ON.map((kind) => kindCase(run, kind)),
  ];
  const suite = { name: 'grantbench exec', duration_ms, cases, output: lines.join('\n') };
  return junitDocument([suite]);
}

/** JUnit for .xml, JSON for .json; makes the folder. */
export async function writeReport(file: string, run: Run): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, /\.xml$/i.test(file) ? junitReport(run) : jsonReport(run));
}
