// The reports of the commands that check something: the files that --report names, and what is printed.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { junitReport } from '../scenario/reports/junit.ts';
import { tapReport } from '../scenario/reports/tap.ts';
import { type ScenarioResult, type StepResult, verdictOf } from '../scenario/runner/run-steps.ts';
import { remark } from './terminal/print.ts';

export interface ReportOptions {
  /** File names; each extension selects a format. */
  readonly report?: readonly string[];
  readonly json?: boolean;
  readonly tap?: boolean;
}

/** The texts of a report by the extension of its file, such as `xml`. */
type ReportTexts = Readonly<Record<string, () => string>>;

/** Returns the texts in the formats of every command with scenarios. */
export const textsOf = (results: readonly ScenarioResult[], json: () => string) => ({
  tap: () => tapReport(results),
  xml: () => junitReport(results),
  json,
});

/** A case of a command that runs no scenarios. */
export interface ReportedCase extends Pick<StepResult, 'failure'> {
  readonly id: string;
  readonly title: string;
  /** Why the case shows nothing; null if it does. */
  readonly skipped: string | null;
}

/** Returns cases as a scenario, with a step for each of them. */
export function scenarioOf(
  file: string,
  name: string,
  cases: readonly ReportedCase[],
): ScenarioResult {
  const steps = cases.map(({ id, title, skipped, failure }): StepResult => {
    const step = { title: `${id}: ${title}`, failure };
    if (skipped === null) return { ...step, verdict: failure === null ? 'passed' : 'failed' };
    return { ...step, verdict: 'skipped', why_skipped: skipped.replace(/\.$/, '') };
  });
  return { file, name, verdict: verdictOf(steps), duration_ms: null, steps };
}

function textFor(file: string, texts: ReportTexts): string {
  const text = texts[extname(file).slice(1).toLowerCase()];
  if (text === undefined) throw new Error('a report has no format with this ending');
  return text();
}

/** Writes reports and creates missing folders. @returns whether all reports were written; prints which were not */
export async function writeReports(
  files: readonly string[],
  texts: ReportTexts,
  say = remark,
): Promise<boolean> {
  let written = true;
  for (const file of files) {
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, textFor(file, texts));
    } catch (error) {
      written = false;
      const { message } = error as Error;
      say(`Cannot write the report ${file}: ${message}.`);
    }
  }
  return written;
}

export interface Output {
  /** Resolves when the text was written or could not be written. */
  readonly print: (text: string) => Promise<void>;
  /** Whether results could not be written, for another reason than a reader that closed the pipe. */
  readonly isLost: () => boolean;
}

/** Prints the results. If they cannot be written, it says so once, and the command still ends with its verdict. */
export function openOutput(): Output {
  let problem: NodeJS.ErrnoException | null = null;
  process.stdout.on('error', () => undefined);
  const isLost = () => problem !== null && problem.code !== 'EPIPE';
  const note = (error: Error | null | undefined) => {
    if (!error || problem !== null) return;
    problem = error;
    if (isLost()) remark(`Cannot write the results: ${error.message}.`);
  };
  const print = (text: string) =>
    new Promise<void>((resolve) => {
      process.stdout.write(text, (error) => {
        note(error);
        resolve();
      });
    });
  return { print, isLost };
}

/** Writes the reports, and prints one of the texts. @returns whether all of them could be written; says which could not */
export async function report(
  { report: files = [], json, tap }: ReportOptions,
  texts: ReturnType<typeof textsOf> & { readonly table: () => string },
): Promise<boolean> {
  const written = await writeReports(files, texts);
  const text = json ? texts.json : tap ? texts.tap : texts.table;
  const output = openOutput();
  await output.print(`${text().trimEnd()}\n`);
  return written && !output.isLost();
}
