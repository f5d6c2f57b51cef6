// The results of `grantbench check`: a table, JSON, TAP, JUnit and SARIF.

import type { CheckResult } from '../../../control/schemas.ts';
import { type ReportedCase, scenarioOf, textsOf } from '../../reports.ts';
import { type Column, table } from '../../terminal/table.ts';

export interface CheckReport {
  readonly version: string;
  readonly issuer: string;
  readonly client_id: string | null;
  /** Whether the exit code of the command says whether the login succeeded. */
  readonly login_tells: boolean;
  readonly results: readonly CheckResult[];
  /** Of the baseline: faults that are known. */
  readonly known: ReadonlySet<string>;
}

type Outcome = 'fault' | 'known' | 'unclear' | 'not_run' | 'good';

function outcomeOf({ id, fault, result }: CheckResult, known: ReadonlySet<string>): Outcome {
  if (fault) return known.has(id) ? 'known' : 'fault';
  if (result === 'unclear') return 'unclear';
  return result === 'not_reached' || result === 'skipped' ? 'not_run' : 'good';
}

const STYLE = {
  fault: 'red',
  known: 'yellow',
  unclear: 'yellow',
  not_run: 'dim',
  good: 'green',
} as const;

const resultWords = ({ result, fault }: CheckResult): string => {
  const words = result.replace('_', ' ');
  return fault ? words.toUpperCase() : words;
};

export function totalsOf(results: readonly CheckResult[]) {
  const count = (wanted: (one: CheckResult) => boolean) => results.filter(wanted).length;
  return {
    passed: count(({ result }) => result === 'passed'),
    refused: count(({ result, fault }) => result === 'refused' && !fault),
    faults_must: count(({ fault, level }) => fault && level === 'must'),
    faults_should: count(({ fault, level }) => fault && level === 'should'),
    unclear: count(({ result }) => result === 'unclear'),
    not_reached: count(({ result }) => result === 'not_reached'),
    skipped: count(({ result }) => result === 'skipped'),
  };
}

const LEFT_OUT = new Set(['not_reached', 'skipped']);

const spelled = ({ libraries }: CheckResult): readonly string[] =>
  libraries.map(({ library, text }) => `${library}: ${text}`);

/** Each fault with what to look for; how libraries spell it comes once, after those it is the same for. */
const adviceOn = (faults: readonly CheckResult[]): readonly string[] =>
  faults.flatMap((one, index) => {
    const next = faults[index + 1];
    const lines = spelled(one).map((line) => `    ${line}`);
    const again = next !== undefined && String(spelled(next)) === String(spelled(one));
    return [`${one.title} (${one.section})\n  ${one.advice}`, ...(again ? [] : lines)];
  });

/** The cases of a result that says nothing about the app, by reason. */
function leftOut(results: readonly CheckResult[], result: CheckResult['result'], heading: string) {
  const left = results.filter((one) => one.result === result);
  const reasons = [...new Set(left.map(({ why }) => why))].map((reason) => {
    const ids = left.filter(({ why }) => why === reason).map(({ id }) => id);
    return `${ids.join(', ')}\n  ${reason}`;
  });
  return reasons.length === 0 ? [] : [`\n${heading}:`, ...reasons];
}

/** Faults first in the list below the table, each with what to look for. */
function tableOf({ results, known, login_tells }: CheckReport): string {
  const columns: readonly Column<CheckResult>[] = [
    { title: 'CASE', cell: ({ id }) => ({ text: id, style: 'bold' }) },
    { title: 'LEVEL', cell: ({ level }) => level },
    { title: 'EXPECTED', cell: ({ expected }) => expected },
    {
      title: 'RESULT',
      cell: (one) => ({ text: resultWords(one), style: STYLE[outcomeOf(one, known)] }),
    },
    { title: 'WHY', cell: ({ why }) => why },
  ];
  const run = results.filter(({ result }) => !LEFT_OUT.has(result));
  const totals = totalsOf(results);
  const faults = adviceOn(results.filter(({ fault }) => fault));
  return [
    table(run, columns, 'No case was reached.'),
    ...(faults.length === 0 ? [] : ['\nFaults of the app:', ...faults]),
    ...leftOut(results, 'not_reached', 'Not reached'),
    ...leftOut(results, 'skipped', 'Skipped'),
    ...(login_tells
      ? []
      : [
          '\nThe exit code of the command does not say whether the login failed: only traffic decides.',
        ]),
    `\n${totals.passed} passed, ${totals.refused} refused, ` +
      `faults: ${totals.faults_must} must, ${totals.faults_should} should; ${totals.unclear} unclear, ` +
      `${totals.not_reached} not reached, ${totals.skipped} skipped`,
  ].join('\n');
}

const jsonOf = ({ version, issuer, client_id, login_tells, results, known }: CheckReport): string =>
  `${JSON.stringify(
    {
      version,
      issuer,
      client_id,
      login_tells,
      totals: totalsOf(results),
      cases: results.map((one) => ({ ...one, known: known.has(one.id) })),
    },
    null,
    2,
  )}\n`;

function caseOf(one: CheckResult, known: ReadonlySet<string>): ReportedCase {
  const { id, title, why, section, advice, expected, result, reached_exchange } = one;
  const outcome = outcomeOf(one, known);
  if (outcome === 'good') return { id, title, skipped: null, failure: null };
  if (outcome !== 'fault') {
    const skipped = `${outcome === 'known' ? 'known fault: ' : ''}${result}: ${why}`;
    return { id, title, skipped, failure: null };
  }
  const failure = {
    message: `${why} ${advice} (${section})`,
    differences: [{ what: 'client', expected, got: result }],
    exchange: reached_exchange === null ? null : `exchange ${reached_exchange}`,
    about: null,
  };
  return { id, title, skipped: null, failure };
}

/** SARIF 2.1.0: each case a rule, each fault a result. */
function sarifOf({ results, version, known }: CheckReport): string {
  const levelOf = ({ level }: CheckResult) => (level === 'must' ? 'error' : 'warning');
  const rules = results.map((one) => ({
    id: one.id,
    shortDescription: { text: one.title },
    fullDescription: { text: `${one.title} (${one.section})` },
    help: { text: [one.advice, ...spelled(one)].join('\n') },
    defaultConfiguration: { level: levelOf(one) },
  }));
  const faults = results.filter(({ fault }) => fault);
  const run = {
    tool: {
      driver: { name: 'Grantbench', semanticVersion: version, rules },
    },
    results: faults.map((one) => ({
      ruleId: one.id,
      level: levelOf(one),
      message: { text: `${one.title}: ${one.why} ${one.advice}` },
      ...(known.has(one.id) ? { suppressions: [{ kind: 'external' }] } : {}),
      locations: [{ logicalLocations: [{ name: one.client_id ?? 'client', kind: 'module' }] }],
    })),
  };
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Returns the table, and the reports by the extensions of their files. */
export function reportsOf(found: CheckReport) {
  const cases = found.results.map((one) => caseOf(one, found.known));
  return {
    ...textsOf([scenarioOf('check', 'Client check', cases)], () => jsonOf(found)),
    sarif: () => sarifOf(found),
    table: () => tableOf(found),
  };
}
