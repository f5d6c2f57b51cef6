// The commands and flags, as people read them in --help. Parses; runs nothing.

import { resolve } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import {
  DEFAULT_CONTROL_PORT,
  DEFAULT_PORT,
  isControlToken,
  isSwitchedOn,
  parseFile,
  parseHost,
  parseIssuer,
  parsePort,
  type ServeOptions,
} from './options.ts';
import { parseFailOn, parseReport, type ExecOptions } from './exec/options.ts';

export type ParsedCommand =
  | { readonly name: 'open'; readonly headless: ServeOptions }
  | { readonly name: 'serve'; readonly options: ServeOptions }
  | { readonly name: 'exec'; readonly options: ExecOptions }
  /** Help, the version or a complaint has been printed already. */
  | { readonly name: 'none'; readonly exit_code: 0 | 2 };

/** A switch that was not given is absent, so that --help need not say "default: false". */
type Switch = 'save' | 'quiet' | 'json';
type GivenOptions = Omit<ServeOptions, Switch | 'https'> &
  Partial<Pick<ServeOptions, Switch>> & {
    readonly https?: boolean | undefined;
    readonly cert?: string | undefined;
    readonly key?: string | undefined;
  };

const EXAMPLES = `
Examples:
  grantbench                                    open the workbench
  grantbench serve                              headless, on ports 4280 and 4281
  grantbench serve --port 0 --json --quiet      for a test: free ports, read the first line
  grantbench serve --workspace team.json --save keep changes in a file
  grantbench serve --keep tokens.json           access tokens outlive a restart
  grantbench serve --https                      with a certificate of its own, and how to trust it
  grantbench exec -- npm test                   a sandbox for as long as a command runs
  grantbench serve --host 0.0.0.0 --issuer http://sandbox.test:4280

Environment:
  GRANTBENCH_PORT, GRANTBENCH_CONTROL_PORT  stand in for the two ports
  GRANTBENCH_CONTROL_TOKEN                  the control token of serve, so that a tab and a script
                                            outlive a restart; otherwise a new one at each start
  GRANTBENCH_KEEP                           stands in for --keep of serve
  GRANTBENCH_HTTPS=1, GRANTBENCH_CERT, GRANTBENCH_KEY
                                            stand in for --https, --cert and --key of serve
  GRANTBENCH_USER_DATA                      folder in which the window keeps its workspace, and --https
                                            its certificate

Exit codes: 0 ended as asked, 1 a fault, 2 a wrong flag, a port in use, an unreadable workspace,
certificate or file to keep.`;

const SERVE_EXAMPLES = `
With --json the first line on standard output is
  {"event":"ready","issuer":…,"token_endpoint":…,"control":{"url":…,"token":…}}
with "certificate":<file> in it over HTTPS, and nothing follows it. Exchanges are told on standard
error, one line each.`;

function portOption(flags: string, what: string, env: string, fallback: number): Option {
  return new Option(flags, what).env(env).default(fallback).argParser(parsePort);
}

const servePort = () =>
  portOption('--port <number>', 'port of the OAuth endpoints', 'GRANTBENCH_PORT', DEFAULT_PORT);

const fileOption = (flags: string, what: string, env: string) =>
  new Option(flags, what).env(env).argParser(parseFile);

const keepOption = () =>
  fileOption(
    '--keep <file>',
    'keep keys and revocations here, so that access tokens outlive a restart',
    'GRANTBENCH_KEEP',
  );

const controlPort = () =>
  portOption(
    '--control-port <number>',
    'port of the workbench page and the control API',
    'GRANTBENCH_CONTROL_PORT',
    DEFAULT_CONTROL_PORT,
  );

function addServe(program: Command, take: (command: ParsedCommand) => void): void {
  const command = program
    .command('serve')
    .allowExcessArguments(false)
    .description('run the token server without a window')
    .option('--host <host>', 'where the OAuth endpoints listen (default: loopback only)', parseHost)
    .addOption(servePort())
    .addOption(controlPort())
    .option('--https', 'serve HTTPS; makes and keeps a certificate for localhost')
    .addOption(fileOption('--cert <file>', 'serve HTTPS with this certificate', 'GRANTBENCH_CERT'))
    .addOption(fileOption('--key <file>', 'its private key, without passphrase', 'GRANTBENCH_KEY'))
    .option('--no-ui', 'do not serve the workbench page')
    .option('--workspace <file>', 'read clients, users and settings from this file')
    .option('--save', 'write changes back to the workspace file')
    .addOption(keepOption())
    .option('--issuer <url>', 'issuer to name in tokens and metadata', parseIssuer)
    .option('--quiet', 'do not tell exchanges on standard error')
    .option('--json', 'print one JSON line when ready, and nothing else')
    .addHelpText('after', SERVE_EXAMPLES);
  command.action(({ https, cert, key, ...given }: GivenOptions) => {
    const options = {
      ...{ save: false, quiet: false, json: false },
      ...givenToken(command),
      ...givenHttps(command, { https, cert, key }),
      ...given,
    };
    checkTogether(command, options);
    take({ name: 'serve', options });
  });
}

/** From the environment only: other users could read a flag in the list of processes. */
function givenToken(command: Command): Pick<ServeOptions, 'controlToken'> {
  const controlToken = process.env['GRANTBENCH_CONTROL_TOKEN'];
  if (!controlToken) return {};
  if (isControlToken(controlToken)) return { controlToken };
  return command.error(
    'error: GRANTBENCH_CONTROL_TOKEN must be 22 to 200 letters, digits and - . _ ~ (a random one, please).',
  );
}

type HttpsFlags = Pick<GivenOptions, 'https' | 'cert' | 'key'>;

function givenHttps(command: Command, { https, cert, key }: HttpsFlags) {
  if (cert !== undefined && key !== undefined) return { https: { cert, key } };
  if (cert !== undefined || key !== undefined) {
    const missing = cert === undefined ? '--cert' : '--key';
    command.error(`error: --cert and --key belong together: ${missing} <file> is missing.`);
  }
  const variable = process.env['GRANTBENCH_HTTPS'] ?? '';
  const wanted = https ?? isSwitchedOn(variable);
  if (wanted === null) command.error('error: GRANTBENCH_HTTPS must be 1, or 0 or empty.');
  return wanted ? { https: 'kept' as const } : {};
}

function checkTogether(
  command: Command,
  { port, controlPort, save, workspace, keep, https, issuer }: ServeOptions,
): void {
  if (port === controlPort && port !== 0) {
    command.error(`error: --port and --control-port are both ${port}; they must differ.`);
  }
  if (save && workspace === undefined) {
    command.error('error: --save needs --workspace <file>, which names the file to write.');
  }
  if (keep !== undefined && workspace !== undefined && resolve(keep) === resolve(workspace)) {
    command.error(`error: --keep and --workspace are both ${keep}; they must differ.`);
  }
  if (https !== undefined && issuer?.startsWith('http:')) {
    command.error(
      `error: --issuer must begin with https:// when HTTPS is served; it is ${issuer}.`,
    );
  }
}

const EXEC_HELP = `
Examples:
  grantbench exec -- npm test
  grantbench exec --report out/grantbench.xml --report out/grantbench.json -- npx vitest run
  grantbench exec --workspace team.json --fail-on over-fetch,throttled -- pytest

The command finds the sandbox in its environment: GRANTBENCH_ISSUER, GRANTBENCH_TOKEN_ENDPOINT,
GRANTBENCH_CLIENT_ID, GRANTBENCH_CLIENT_SECRET, GRANTBENCH_CONTROL_URL, GRANTBENCH_CONTROL_TOKEN.

Exit codes: the command's own (128 and the signal's number when one ended it); 3 when the command ended
with 0, but something of --fail-on happened or a report could not be written; 126 and 127 when it could not
be started or is not there; 2 a wrong flag or an unreadable workspace.`;

type GivenExec = Partial<Omit<ExecOptions, 'command' | 'controlToken'>>;

function addExec(program: Command, take: (command: ParsedCommand) => void): void {
  const command = program
    .command('exec')
    .description('run a command beside a sandbox of its own, and hand on its exit code')
    .usage('[options] -- COMMAND [ARGUMENTS]')
    .argument('<command...>', 'what to run')
    .passThroughOptions()
    .option('--workspace <file>', 'read clients, users and settings from this file', parseFile)
    .option('--report <file>', 'tell what happened: JUnit (.xml) or JSON (.json)', parseReport)
    .option('--fail-on <list>', 'over-fetch,throttled,refused,deviation: exit with 3', parseFailOn)
    .option('--quiet', 'no line with what happened on standard error')
    .addHelpText('after', EXEC_HELP);
  command.action(([name = '', ...args]: string[], given: GivenExec) => {
    const defaults = { report: [], failOn: [], quiet: false };
    const options = { ...defaults, ...given, ...givenToken(command) };
    take({ name: 'exec', options: { ...options, command: [name, ...args] } });
  });
}

function addOpen(program: Command, take: (command: ParsedCommand) => void): void {
  program
    .addOption(servePort().hideHelp())
    .addOption(controlPort().hideHelp())
    .addOption(keepOption().hideHelp())
    .allowExcessArguments()
    .action((given: Pick<ServeOptions, 'port' | 'controlPort' | 'keep'>) => {
      const [unknown] = program.args;
      if (unknown !== undefined) program.error(`error: unknown command '${unknown}'`);
      const switches = { ui: true, save: false, quiet: false, json: false };
      const headless = { ...given, ...switches, ...givenToken(program) };
      take({ name: 'open', headless });
    });
}

/** Help and the version go to standard output, complaints to standard error. */
export function parseCommand(argv: readonly string[], version: string): ParsedCommand {
  let parsed: ParsedCommand = { name: 'none', exit_code: 0 };
  const take = (command: ParsedCommand) => void (parsed = command);
  const program = new Command('grantbench')
    .description(
      'A sandbox OAuth 2.0 token server that you can see into. Without a command: opens the workbench.',
    )
    .version(version, '-v, --version')
    .enablePositionalOptions()
    .showHelpAfterError('Run with --help for the commands and flags.')
    .addHelpText('after', EXAMPLES)
    .exitOverride();
  addOpen(program, take);
  addServe(program, take);
  addExec(program, take);
  try {
    program.parse([...argv]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { name: 'none', exit_code: error.exitCode === 0 ? 0 : 2 };
  }
  return parsed;
}
