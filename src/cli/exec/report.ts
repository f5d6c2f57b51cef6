// What happened, as a document: JSON for programs, JUnit for the page of a CI server.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { exchangeLine } from '../exchange-line.ts';
import type { Finding, Happenings } from './happenings.ts';
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
  readonly happenings: Happenings;
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

function jsonReport({ happenings, ...run }: Run): string {
  const { total, faults, found, exchanges } = happenings;
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

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** XML 1.0 has no place for most control characters and lone surrogates, escaped or not. */
const xml = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g, '?')
    .replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

function testCase(name: string, failure: string | null, output: string): string {
  const parts = [
    failure === null ? '' : `<failure message="${xml(failure)}"/>`,
    output === '' ? '' : `<system-out>${xml(output)}</system-out>`,
  ];
  return `    <testcase classname="grantbench.exec" name="${xml(name)}">${parts.join('')}</testcase>`;
}

function kindCase({ failed_on, happenings }: Run, kind: FailOn): string {
  const found = happenings.found[kind];
  const lines = found.map(({ exchange, text }) => `exchange ${exchange}: ${text}`);
  const failure = failed_on.includes(kind) ? `${found.length} of ${kind}` : null;
  return testCase(`nothing of ${kind}`, failure, lines.join('\n'));
}

function junitReport(run: Run): string {
  const { command, exit_code, duration_ms, happenings, failed_on } = run;
  const ended = exit_code === 0 ? null : `it ended with ${exit_code}`;
  const lines = happenings.exchanges.map((exchange) => exchangeLine(exchange, false));
  const cases = [
    testCase(`${command} ends with 0`, ended, ''),
    ...FAIL_ON.map((kind) => kindCase(run, kind)),
  ];
  const failures = failed_on.length + (ended === null ? 0 : 1);
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" time="${(duration_ms / 1000).toFixed(3)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
  <testsuite name="grantbench exec" ${counts}>
${cases.join('\n')}
    <system-out>${xml(lines.join('\n'))}</system-out>
  </testsuite>
</testsuites>
`;
}

/** JUnit for .xml, JSON for .json; makes the folder. */
export async function writeReport(file: string, run: Run): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, /\.xml$/i.test(file) ? junitReport(run) : jsonReport(run));
}
