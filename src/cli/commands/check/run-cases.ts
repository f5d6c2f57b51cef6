// `grantbench check`: runs the command once per case against a sandbox at a fixed address, with good logins in between,
// because an app that refuses everything must not pass. Only the command line starts a command (behaviour 18.4).

import { constants } from 'node:os';
import type { ControlClient } from '../../../control/contract.ts';
import type { CheckResult, ClientCase, Profile, Provider } from '../../../control/schemas.ts';
import { createEngine, type Engine } from '../../../engine/engine.ts';
import { CommandError } from '../../command-error.ts';
import { readText } from '../../files.ts';
import { report, type ReportOptions } from '../../reports.ts';
import { remark } from '../../terminal/print.ts';
import { openControl } from '../exec/exec-in-sandbox.ts';
import type { CertificateFiles } from '../serve/options.ts';
import { type LoginEnd, runLogin, runShell } from './login.ts';
import { type CheckReport, reportsOf, totalsOf } from './report.ts';

export interface CheckOptions extends ReportOptions {
  readonly command: readonly [name: string, ...args: string[]];
  readonly case?: readonly string[];
  readonly only?: 'must';
  readonly baseline?: string;
  readonly restart?: string;
  /** Seconds that a login may take. */
  readonly timeout: number;
  readonly workspace?: string;
  readonly profile?: Profile;
  readonly host?: string;
  readonly port?: number;
  readonly issuer?: string;
  readonly shape?: Provider;
  readonly https?: 'kept' | CertificateFiles;
  readonly controlToken?: string;
  readonly verbose?: boolean;
}

const EXIT = { good: 0, fault: 1, nothing_run: 2 } as const;
const GOOD = 'good-login';
const FAILING = 'token-500';
/** Beyond the time that the command has. */
const SLACK_SECONDS = 60;
const MOST_KNOWN = 1000;

/** Ids of known faults, one per line; what follows a # is a comment. */
async function readBaseline(file: string | undefined): Promise<ReadonlySet<string>> {
  if (file === undefined) return new Set();
  const text = await readText(file, 'the ids of known faults');
  const lines = text.split('\n', MOST_KNOWN + 1).map((line) => line.replace(/#.*/, '').trim());
  if (lines.length > MOST_KNOWN) {
    throw new CommandError(EXIT.nothing_run, `${file} must have at most ${MOST_KNOWN} lines.`);
  }
  return new Set(lines.filter((line) => line !== ''));
}

function checkKnown(ids: Iterable<string>, cases: readonly ClientCase[], where: string): void {
  for (const id of ids) {
    if (cases.some((one) => one.id === id)) continue;
    throw new CommandError(EXIT.nothing_run, `${where} names ${id}, which is not a case.`);
  }
}

async function open(options: CheckOptions, version: string): Promise<Engine> {
  const { host, port = 0, issuer, workspace, shape, https } = options;
  const certificate =
    https === undefined ? null : await (await import('../serve/https.ts')).chooseCertificate(https);
  return createEngine({
    host,
    port,
    version,
    tls: certificate === null ? undefined : { ...certificate.tls, file: certificate.file },
    issuer,
    workspace: workspace === undefined ? undefined : { file: workspace, save: false },
    provider: shape,
  });
}

interface Bench {
  readonly control: ControlClient;
  /** Runs the command. @param variables of the case */
  readonly login: (variables: Record<string, string>, shown: boolean) => Promise<LoginEnd>;
  readonly signal: AbortSignal;
}

/** Runs the login once under a case. @throws CommandError when the command cannot be started */
async function runCase(
  { control, login }: Bench,
  options: CheckOptions,
  id: string,
  { login_tells = true, shown = false, look_for = null as string | null } = {},
): Promise<{ readonly found: CheckResult; readonly login: LoginEnd['login'] }> {
  const time_limit_seconds = Math.min(3600, options.timeout + SLACK_SECONDS);
  await control.clientChecks.start({ case: id, time_limit_seconds });
  try {
    const variables = {
      GRANTBENCH_CASE: id,
      ...(look_for === null ? {} : { GRANTBENCH_LOOK_FOR: look_for }),
    };
    const end = await login(variables, shown || options.verbose === true);
    if (end.problem !== null) throw new CommandError(EXIT.nothing_run, end.problem);
    const { login: how } = end;
    return { found: await control.clientChecks.end({ login: how, login_tells }), login: how };
  } finally {
    await control.clientChecks.stop();
  }
}

async function causeOf(control: ControlClient): Promise<string> {
  const { items } = await control.exchanges.list({ limit: 100 });
  const rejected = items.find(({ error }) => error !== null);
  if (rejected === undefined) return 'The sandbox rejected no request.';
  const { number, method, path, status, cause } = rejected;
  return `Newest rejected request: #${number} ${method} ${path}, ${status}: ${cause ?? rejected.error ?? ''}`;
}

const notEnded = ({ timeout }: CheckOptions) => `did not end within ${timeout} s`;

/** @throws CommandError with the cause: without a good login, the cases show nothing */
async function requireGoodLogin(bench: Bench, options: CheckOptions): Promise<void> {
  const good = await runCase(bench, options, GOOD, { shown: true });
  if (bench.signal.aborted) return;
  const how = good.login === 'failed' ? 'failed' : notEnded(options);
  if (good.found.reached_exchange === null) {
    const { certificate } = await bench.control.server.get();
    const trust = certificate === null ? '' : `, and trust ${certificate}`;
    throw new CommandError(
      EXIT.nothing_run,
      `The good login ${good.login === 'unknown' ? `${how}, and ` : ''}sent no request to the sandbox. Does the command use GRANTBENCH_ISSUER${trust}?`,
    );
  }
  if (good.login === 'succeeded') return;
  throw new CommandError(
    EXIT.nothing_run,
    `The good login ${how}, so the cases would show nothing. ${await causeOf(bench.control)}`,
  );
}

const skipped = (
  { id, title, level, expected, section, advice, libraries }: ClientCase,
  why: string,
): CheckResult => ({
  id,
  title,
  level,
  expected,
  section,
  advice,
  libraries,
  client_id: null,
  result: 'skipped',
  why,
  fault: false,
  awaits_good_login: false,
  reached_exchange: null,
  seen_exchange: null,
  ended_at: '',
});

const RESTARTED: readonly string[] = ['discovery', 'keys'];
const KEPT = 'If the app reads it only when it starts, use --restart, which restarts it.';

async function resultOf(
  bench: Bench,
  options: CheckOptions,
  one: ClientCase,
  login_tells: boolean,
): Promise<CheckResult> {
  const restarts = RESTARTED.includes(one.group);
  const restart = (id: string) =>
    !restarts || options.restart === undefined
      ? Promise.resolve(true)
      : runShell(options.restart, { GRANTBENCH_CASE: id }, options.timeout);
  const notRestarted = `The command of --restart failed, or took longer than ${options.timeout} s.`;
  if (!(await restart(one.id))) return skipped(one, notRestarted);
  const late = (end: LoginEnd['login'], what: string) =>
    end === 'unknown' ? `${what} ${notEnded(options)}.` : null;
  /** Adds the likely reason of an unclear result. A login that was ended may have reached the case later. */
  const explained = (shown: CheckResult, why: string | null): CheckResult => {
    if (why === null) return shown;
    if (shown.result === 'not_reached') return { ...shown, result: 'unclear', why };
    return shown.result === 'unclear' ? { ...shown, why: `${shown.why} ${why}` } : shown;
  };
  const { look_for } = one;
  const { found, login } = await runCase(bench, options, one.id, { login_tells, look_for });
  const result = explained(found, late(login, 'The login'));
  if (restarts && options.restart === undefined && result.result === 'not_reached') {
    return skipped(one, `${one.unreached} ${KEPT}`);
  }
  if (!result.awaits_good_login || bench.signal.aborted) return result;
  // A refusal counts once a good login has succeeded after it. The app may have kept what it read.
  const isRestarted = await restart(GOOD);
  const good = await runCase(bench, options, GOOD, { login_tells });
  const { items } = await bench.control.clientChecks.results();
  const confirmed = items.find(({ id }) => id === one.id) ?? found;
  return [
    late(login, 'The login'),
    isRestarted ? null : notRestarted,
    late(good.login, 'The good login afterwards'),
  ].reduce(explained, confirmed);
}

/** The results that show what the app does: all others say nothing about a known fault. */
const SHOWN: readonly CheckResult['result'][] = ['passed', 'refused'];

/** Which faults count, and which entries of the baseline do not hold any more. */
function exitOf({ results, known }: CheckReport): {
  readonly code: number;
  readonly stale: readonly string[];
} {
  const unknown = results.some(
    ({ id, fault, level }) => fault && level === 'must' && !known.has(id),
  );
  const stale = results.filter(
    ({ id, fault, result }) => known.has(id) && !fault && SHOWN.includes(result),
  );
  const code = unknown || stale.length > 0 ? EXIT.fault : EXIT.good;
  return { code, stale: stale.map(({ id }) => id) };
}

async function runAll(bench: Bench, options: CheckOptions, cases: readonly ClientCase[]) {
  await requireGoodLogin(bench, options);
  const failing = await runCase(bench, options, FAILING);
  const login_tells = failing.found.reached_exchange !== null && failing.login === 'failed';
  const results: CheckResult[] = [];
  const isStopped = () => bench.signal.aborted;
  for (const one of cases) {
    if (isStopped()) break;
    const result = await resultOf(bench, options, one, login_tells);
    // It is not known what an interrupted login shows.
    if (isStopped()) break;
    results.push(result);
    remark(`${results.length} of ${cases.length} ${one.id}: ${result.result.replace('_', ' ')}`);
  }
  if (isStopped()) remark(`Stopped after ${results.length} of ${cases.length} cases.`);
  return { login_tells, results };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The cases that were asked for. @throws CommandError for an unknown one */
async function chosenCases(
  control: ControlClient,
  options: CheckOptions,
  known: ReadonlySet<string>,
) {
  const { items } = await control.clientChecks.cases();
  checkKnown(options.case ?? [], items, '--case');
  checkKnown(known, items, '--baseline');
  const chosen = items.filter(
    ({ id, level }) =>
      (options.case === undefined || options.case.includes(id)) &&
      (options.only === undefined || level === options.only),
  );
  if (chosen.length > 0) return chosen;
  throw new CommandError(EXIT.nothing_run, 'No case of --case has the level of --only.');
}

async function checkAt(
  engine: Engine,
  options: CheckOptions,
  version: string,
  signal: AbortSignal,
) {
  const known = await readBaseline(options.baseline);
  const control = await engine.getControl();
  const cases = await chosenCases(control, options, known);
  if (options.profile !== undefined) await control.settings.update({ profile: options.profile });
  if (options.workspace === undefined) await control.settings.update({ throttle: { mode: 'off' } });
  await engine.start();
  const { command, timeout: seconds, controlToken } = options;
  const { env, close } = await openControl(engine, controlToken);
  const login: Bench['login'] = (variables, shown) =>
    runLogin({ command, env: { ...env, ...variables }, seconds, shown, signal });
  try {
    const found = await runAll({ control, login, signal }, options, cases);
    const client_id = env['GRANTBENCH_CLIENT_ID'] ?? null;
    return { ...found, version, issuer: engine.server().issuer, client_id, known };
  } finally {
    await close();
  }
}

/** @returns the exit code. @throws CommandError where nothing can be checked */
export async function check(options: CheckOptions, version: string): Promise<number> {
  const interrupted = new AbortController();
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      interrupted.abort(signal);
    });
  }
  const engine = await open(options, version);
  try {
    const found = await checkAt(engine, options, version, interrupted.signal);
    const { signal } = interrupted;
    if (signal.aborted) {
      if (found.results.length > 0) await report(options, reportsOf(found));
      return 128 + constants.signals[signal.reason as (typeof SIGNALS)[number]];
    }
    const { code, stale } = exitOf(found);
    const written = await report(options, reportsOf(found));
    for (const id of stale)
      remark(`${id} is in the baseline, but is no longer a fault: remove it.`);
    const { passed, refused, faults_must, faults_should } = totalsOf(found.results);
    const shown = passed + refused + faults_must + faults_should;
    return written && shown > 0 ? code : EXIT.nothing_run;
  } finally {
    await engine.close();
  }
}
