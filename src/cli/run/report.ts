// Writes the results of scenarios to a file, as TAP, JUnit or JSON by the ending of its name.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { jsonReport, junitReport, tapReport } from '../../scenario/reports/reports.ts';
import type { ScenarioResult } from '../../scenario/running/run-scenario.ts';

function reportFor(file: string, results: readonly ScenarioResult[], version: string): string {
  if (/\.xml$/i.test(file)) return junitReport(results);
  return /\.tap$/i.test(file) ? tapReport(results) : jsonReport(results, version);
}

/** Makes the folder if there is none. */
export async function writeReport(
  file: string,
  results: readonly ScenarioResult[],
  version: string,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, reportFor(file, results, version));
}
