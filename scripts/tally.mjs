// Counts passed and failed tests from the JSON reports of the runners.

import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {object} Tally
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} failures the failures, each with its name and the beginning of its message
 */

const MESSAGE_LINES = 12;

/** @param {Partial<Tally>} counts @returns {Tally} */
export function tallyOf(counts) {
  return { passed: 0, failed: 0, skipped: 0, failures: [], ...counts };
}

/** @param {Tally[]} tallies @returns {Tally} */
export function sum(tallies) {
  const total = tallyOf({});
  for (const tally of tallies) {
    total.passed += tally.passed;
    total.failed += tally.failed;
    total.skipped += tally.skipped;
    total.failures.push(...tally.failures);
  }
  return total;
}

/** Returns the failures, followed by a line of totals. @param {Tally} tally */
export function tallyText({ passed, failed, skipped, failures }) {
  const listed = failures.map((failure) => `Failed: ${failure}\n`).join('');
  return `\n${listed}${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Returns a name, followed by the first lines of the message. @param {string} name @param {string} [message] */
export function failure(name, message = '') {
  const plain = message.replaceAll(/\u001B\[[\d;]*m/gu, '');
  const beginning = plain.split('\n').slice(0, MESSAGE_LINES);
  return [name, ...beginning.filter((line) => line.trim() !== '')].join('\n    ');
}

/** @param {string} file */
function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/**
 * Adds a failure if the runner failed without a failed test: because a file does not load, a hook failed, or it
 * crashed before the report.
 *
 * @param {Tally} tally
 * @param {number} code the runner's exit code
 */
function withExitCode(tally, code) {
  if (code === 0 || tally.failed > 0) return tally;
  return { ...tally, failed: 1, failures: [`the runner ended with ${code}; see its output`] };
}

/**
 * @typedef {object} VitestFile
 * @property {string} name
 * @property {string} status
 * @property {string} message
 * @property {{ status: string, fullName: string, failureMessages?: string[] }[]} assertionResults
 */

/** @param {VitestFile} file */
function vitestFailures({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter((result) => result.status === 'failed');
  if (failed.length === 0) return status === 'failed' ? [failure(name, message)] : [];
  return failed.map(({ fullName, failureMessages }) =>
    failure(`${name}: ${fullName}`, failureMessages?.[0]),
  );
}

/** @param {string} file @param {number} code @returns {Tally} */
export function vitestTally(file, code) {
  const report = readReport(file);
  const failures = (report?.testResults ?? []).flatMap(vitestFailures);
  const tally = {
    passed: report?.numPassedTests ?? 0,
    failed: failures.length,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    failures,
  };
  return withExitCode(tally, code);
}

/**
 * @typedef {object} PlaywrightSuite
 * @property {PlaywrightSpec[]} [specs]
 * @property {PlaywrightSuite[]} [suites]
 *
 * @typedef {object} PlaywrightSpec
 * @property {string} file
 * @property {string} title
 * @property {{ status: string, results: { error?: { message?: string } }[] }[]} tests
 */

/** @param {PlaywrightSuite} suite @returns {string[]} */
function playwrightFailures({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => failure(`${file}: ${title}`, results[0]?.error?.message)),
  );
  return [...own, ...suites.flatMap(playwrightFailures)];
}

/** @param {string} file @param {number} code @returns {Tally} */
export function playwrightTally(file, code) {
  const report = readReport(file);
  const tally = {
    passed: report?.stats?.expected ?? 0,
    failed: (report?.stats?.unexpected ?? 0) + (report?.stats?.flaky ?? 0),
    skipped: report?.stats?.skipped ?? 0,
    failures: playwrightFailures({ suites: report?.suites }),
  };
  return withExitCode(tally, code);
}
