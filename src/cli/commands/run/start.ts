// `grantbench run`: runs scenarios, each in a sandbox of its own, and prints and writes their results. With --against,
// each is run at a provider.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { jsonReport, totalsOf } from '../../../scenario/reports/json.ts';
import { junitReport } from '../../../scenario/reports/junit.ts';
import { tapHead, tapOf, tapReport } from '../../../scenario/reports/tap.ts';
import { skippedScenario, type ScenarioResult } from '../../../scenario/runner/run.ts';
import type { AgainstOptions } from './against/target.ts';
import { readFiles, type BadFile, type ScenarioFile } from './files.ts';
import { runInOwnSandbox } from './own-sandbox.ts';

export interface RunOptions extends AgainstOptions {
  /** Files, and folders of *.scenario.json. */
  readonly paths: readonly string[];
  /** Each TAP, JUnit or JSON, by its ending. */
  readonly report: readonly string[];
  /** Runs no more scenarios after the first that failed. */
  readonly bail: boolean;
  /** JSON on standard output instead of TAP. */
  readonly json: boolean;
}

const EXIT = { passed: 0, failed: 1, unusable: 2 } as const;

const print = (text: string) => void process.stdout.write(text);
const say = (text: string) => void process.stderr.write(`${text}\n`);

const pluralize = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

function tellBad(bad: readonly BadFile[], all: number): void {
  const lines = bad.flatMap((one) => one.lines);
  for (const line of lines) say(line);
  const where = all === 1 ? '' : ` in ${bad.length} of ${all} files`;
  say(`${pluralize(lines.length, 'problem')}${where}; nothing was run.`);
}

type RunOne = (one: ScenarioFile) => Promise<ScenarioResult>;

/** How each scenario is run. @throws CommandError where the provider of --against cannot be used */
async function runnerFor(options: RunOptions, version: string): Promise<RunOne> {
  if (options.against === null) {
    return ({ file, parsed }) => runInOwnSandbox(file, parsed, version);
  }
  const { openTarget } = await import('./against/target.ts');
  const { runAgainst } = await import('./against/compare.ts');
  const target = await openTarget(options.against, options);
  return ({ file, parsed }) => runAgainst(file, parsed, target, version);
}

async function runAll(
  scenarios: readonly ScenarioFile[],
  { bail, json }: RunOptions,
  runOne: RunOne,
): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  if (!json) print(tapHead(scenarios.length));
  for (const one of scenarios) {
    const over = bail && results.some(({ verdict }) => verdict === 'failed');
    const result = over ? skippedScenario(one.file, one.parsed) : await runOne(one);
    results.push(result);
    if (!json) print(tapOf(results.length, result));
  }
  return results;
}

function summary(results: readonly ScenarioResult[]): string {
  const { passed, failed, skipped } = totalsOf(results);
  const rest = skipped === 0 ? '' : `, ${skipped} skipped`;
  return `${pluralize(results.length, 'scenario')}: ${passed} passed, ${failed} failed${rest}`;
}

/** As TAP, JUnit or JSON, by the ending of the file's name. */
function reportFor(file: string, results: readonly ScenarioResult[], json: () => string): string {
  if (/\.xml$/i.test(file)) return junitReport(results);
  return /\.tap$/i.test(file) ? tapReport(results) : json();
}

/** Makes the folder if there is none. */
async function writeReport(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** Whether all of them could be written. */
async function writeReports(
  files: readonly string[],
  results: readonly ScenarioResult[],
  json: () => string,
): Promise<boolean> {
  let written = true;
  for (const file of files) {
    await writeReport(file, reportFor(file, results, json)).catch((error: unknown) => {
      written = false;
      say(`The report ${file} could not be written: ${(error as Error).message}.`);
    });
  }
  return written;
}

/** The exit code. @throws CommandError where the provider of --against cannot be used */
export async function run(options: RunOptions, version: string): Promise<number> {
  // Whoever read this may go away (EPIPE): the scenarios are run and reported all the same.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const { scenarios, bad } = await readFiles(options.paths);
  if (bad.length > 0) {
    tellBad(bad, scenarios.length + bad.length);
    return EXIT.unusable;
  }
  const results = await runAll(scenarios, options, await runnerFor(options, version));
  const json = () => jsonReport(results, version, options.against);
  print(options.json ? json() : `# ${summary(results)}\n`);
  const written = await writeReports(options.report, results, json);
  if (!written) return EXIT.unusable;
  return totalsOf(results).failed > 0 ? EXIT.failed : EXIT.passed;
}
