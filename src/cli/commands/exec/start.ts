// `grantbench exec`: a sandbox for as long as a command runs.

import { startControlServer, type ControlServer } from '../../../engine/control-server/server.ts';
import { createEngine, type Engine } from '../../../engine/engine.ts';
import { catchSignals, runCommand } from './child.ts';
import { gather, type RunSummary } from './run-summary.ts';
import type { ExecOptions } from './options.ts';
import { writeReport, type Run } from './report.ts';

/** The command was content, but something happened that it was to fail on, or a report is missing. */
const NOT_CONTENT = 3;

function environment(engine: Engine, { url, token }: ControlServer): Record<string, string> {
  const { issuer, token_endpoint } = engine.server();
  const [client] = engine.service.registry.clients.list();
  return {
    GRANTBENCH_ISSUER: issuer,
    GRANTBENCH_TOKEN_ENDPOINT: token_endpoint,
    GRANTBENCH_CLIENT_ID: client?.client_id ?? '',
    GRANTBENCH_CLIENT_SECRET: client?.client_secret ?? '',
    GRANTBENCH_CONTROL_URL: url,
    GRANTBENCH_CONTROL_TOKEN: token,
  };
}

const say = (text: string) => void process.stderr.write(`grantbench: ${text}\n`);

function summaryLine({ total, found }: RunSummary): string {
  const counts = [
    `${total} ${total === 1 ? 'exchange' : 'exchanges'}`,
    `${found.refused.length} rejected`,
    `${found.throttled.length} throttled`,
    `${found['over-fetch'].length} redundant`,
    `${found.deviation.length} deviations`,
  ];
  return counts.join(', ');
}

/** Whether all of them could be written. */
async function writeReports(files: readonly string[], run: Run): Promise<boolean> {
  let written = true;
  for (const file of files) {
    await writeReport(file, run).catch((error: unknown) => {
      written = false;
      say(`The report ${file} could not be written: ${(error as Error).message}.`);
    });
  }
  return written;
}

function tell(options: ExecOptions, { summary, failed_on }: Run): void {
  if (!options.quiet) say(summaryLine(summary));
  for (const kind of failed_on) {
    for (const { exchange, text } of summary.found[kind].slice(0, 20)) {
      say(`${kind}: exchange ${exchange}: ${text}`);
    }
  }
}

/** The exit code: the command's own, or 3 when it was 0 and should not have been. */
export async function exec(options: ExecOptions, version: string): Promise<number> {
  const signals = catchSignals();
  // Whoever read this may go away; that is no fault of ours, nor of the command's (EPIPE).
  process.stderr.on('error', () => undefined);
  const { workspace, controlToken: token, command } = options;
  const file = workspace === undefined ? {} : { workspace: { file: workspace, save: false } };
  const engine = await createEngine({ port: 0, version, ...file });
  await engine.start();
  const control = await startControlServer(engine, {
    host: '127.0.0.1',
    port: 0,
    token,
    page: null,
  });
  const gathered = gather(engine);

  const begun = performance.now();
  const { exit_code, problem } = await runCommand(command, environment(engine, control), signals);
  const duration_ms = Math.round(performance.now() - begun);
  if (problem !== null) say(problem);
  const summary = await gathered();
  await control.close();
  await engine.close();

  const failed_on = options.failOn.filter((kind) => summary.found[kind].length > 0);
  const run: Run = { command: command[0], exit_code, duration_ms, version, failed_on, summary };
  if (problem === null) tell(options, run);
  const written = await writeReports(options.report, run);
  return exit_code === 0 && (failed_on.length > 0 || !written) ? NOT_CONTENT : exit_code;
}
