// `grantbench exec`: a sandbox for as long as a command runs, and what happened in it as a document: JSON for programs,
// JUnit for the page of a CI server. The output of the command is never read.

import { type ControlServer, startControlServer } from '../../../engine/control-server/server.ts';
import { createEngine, type Engine } from '../../../engine/engine.ts';
import { junitDocument, type JunitCase } from '../../../scenario/reports/junit.ts';
import { pluralize } from '../../../words.ts';
import { writeReports } from '../../reports.ts';
import { exchangeLine } from '../../terminal/exchange-line.ts';
import { FAIL_ON, type FailOn } from '../flag-values.ts';
import { catchSignals, runCommand } from './child.ts';
import { type Found, gather, type RunSummary } from './run-summary.ts';

export interface ExecOptions {
  readonly command: readonly [name: string, ...args: string[]];
  readonly workspace?: string;
  /** Each JUnit or JSON, by its ending. */
  readonly report: readonly string[];
  readonly failOn: readonly FailOn[];
  readonly quiet: boolean;
  /** Made anew at each start when left out. */
  readonly controlToken?: string;
}

/** The command was content, but something happened that it was to fail on, or a report is missing. */
const NOT_CONTENT = 3;

function environment(engine: Engine, { url, token }: ControlServer): Record<string, string> {
  const { issuer, endpoints, certificate } = engine.server();
  const [client] = engine.service.registry.clients.list();
  // A file of the user’s own is not replaced: it may be needed to reach other servers.
  const trusts = certificate !== null && (process.env['NODE_EXTRA_CA_CERTS'] ?? '') === '';
  return {
    ...(trusts ? { NODE_EXTRA_CA_CERTS: certificate } : {}),
    GRANTBENCH_ISSUER: issuer,
    GRANTBENCH_TOKEN_ENDPOINT: endpoints.token,
    GRANTBENCH_CLIENT_ID: client?.client_id ?? '',
    GRANTBENCH_CLIENT_SECRET: client?.client_secret ?? '',
    // For commands of Grantbench, whatever instance they would use outside.
    GRANTBENCH_CONTROL: url,
    GRANTBENCH_CONTROL_URL: url,
    GRANTBENCH_CONTROL_TOKEN: token,
  };
}

/** Opens the control API of a started sandbox for a command. @returns with the variables that name both */
export async function openControl(engine: Engine, token: string | undefined) {
  const control = await startControlServer(engine, {
    host: '127.0.0.1',
    port: 0,
    token,
    page: null,
  });
  return { env: environment(engine, control), close: control.close };
}

const say = (text: string) => void process.stderr.write(`grantbench: ${text}\n`);

function summaryLine({ total, found }: RunSummary): string {
  const counts = [
    pluralize(total, 'exchange'),
    `${found.refused.count} rejected`,
    `${found.throttled.count} throttled`,
    `${found.redundant.count} redundant`,
    pluralize(found.deviation.count, 'deviation'),
  ];
  return counts.join(', ');
}

const MOST_SHOWN = 20;

function tell(options: ExecOptions, { summary, failed_on }: Run): void {
  if (!options.quiet) say(summaryLine(summary));
  for (const kind of failed_on) {
    const { count, findings } = summary.found[kind];
    for (const { exchange, text } of findings.slice(0, MOST_SHOWN)) {
      say(`${kind}: exchange ${exchange}: ${text}`);
    }
    if (count > MOST_SHOWN) say(`${kind}: ${count - MOST_SHOWN} more`);
  }
}

/** The exit code: the command's own, or 3 when it was 0 and should not have been. */
export async function exec(options: ExecOptions, version: string): Promise<number> {
  const signals = catchSignals();
  const { workspace, controlToken, command } = options;
  const engine = await createEngine({
    port: 0,
    version,
    workspace: workspace === undefined ? undefined : { file: workspace, save: false },
  });
  await engine.start();
  const control = await openControl(engine, controlToken);
  const gathered = await gather(engine);

  const begun = performance.now();
  const { exit_code, problem } = await runCommand(command, control.env, signals);
  const duration_ms = Math.round(performance.now() - begun);
  if (problem !== null) say(problem);
  const summary = await gathered();
  await control.close();
  await engine.close();

  const failed_on = options.failOn.filter((kind) => summary.found[kind].count > 0);
  const run: Run = { command: command[0], exit_code, duration_ms, version, failed_on, summary };
  if (problem === null) tell(options, run);
  const written = await writeReports(
    options.report,
    { xml: () => junitReport(run, problem), json: () => jsonReport(run) },
    say,
  );
  return exit_code === 0 && (failed_on.length > 0 || !written) ? NOT_CONTENT : exit_code;
}

interface Run {
  /** Its name alone: arguments may hold secrets. */
  readonly command: string;
  readonly exit_code: number;
  readonly duration_ms: number;
  readonly version: string;
  /** What it was to fail on, and did. */
  readonly failed_on: readonly FailOn[];
  readonly summary: RunSummary;
}

/** Refusals of one cause together, the most frequent first. All are counted; the first 10,000 of all causes listed. */
function byCause({ counts, findings }: Found) {
  const numbers = new Map<string, number[]>();
  for (const { text, exchange } of findings) {
    const former = numbers.get(text);
    if (former === undefined) numbers.set(text, [exchange]);
    else former.push(exchange);
  }
  return [...counts]
    .map(([cause, count]) => ({ cause, count, exchanges: numbers.get(cause) ?? [] }))
    .sort((a, b) => b.count - a.count);
}

function jsonReport({ summary, ...run }: Run): string {
  const { total, faults, found, exchanges } = summary;
  const totals = {
    exchanges: total,
    refused: found.refused.count,
    throttled: found.throttled.count,
    over_fetch: found.redundant.count,
    deviations: found.deviation.count,
    faults,
  };
  const lists = {
    refused_by_cause: byCause(found.refused),
    throttled: found.throttled.findings,
    over_fetch: found.redundant.findings,
    deviations: found.deviation.findings,
  };
  return `${JSON.stringify({ ...run, totals, ...lists, exchanges }, null, 2)}\n`;
}

const testCase = (name: string, failure: string | null): JunitCase => ({
  classname: 'grantbench.exec',
  name,
  failure: failure === null ? null : { message: failure, text: '' },
  skipped: null,
  output: '',
});

/** A case that happened without being in --fail-on is skipped: it must not fail the run, and it has not passed. */
function kindCase({ failed_on, summary }: Run, kind: FailOn): JunitCase {
  const { count: found, findings } = summary.found[kind];
  const lines = findings.map(({ exchange, text }) => `exchange ${exchange}: ${text}`);
  const count = `${found} × ${kind}`;
  const isFailed = failed_on.includes(kind);
  return {
    ...testCase(`no ${kind}`, isFailed ? count : null),
    skipped: isFailed || found === 0 ? null : `${count}; not in --fail-on`,
    output: lines.join('\n'),
  };
}

/** @param problem why the command could not be started; null if it was */
function junitReport(run: Run, problem: string | null): string {
  const { command, exit_code, duration_ms, summary } = run;
  const ended = exit_code === 0 ? null : (problem ?? `it ended with ${exit_code}`);
  const lines = summary.exchanges.map((exchange) => exchangeLine(exchange, false));
  const cases = [
    testCase(`${command} ends with 0`, ended),
    ...FAIL_ON.map((kind) => kindCase(run, kind)),
  ];
  const suite = { name: 'grantbench exec', duration_ms, cases, output: lines.join('\n') };
  return junitDocument([suite]);
}
