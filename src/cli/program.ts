// Parses the arguments and runs the command. Errors in arguments are printed by commander, with the nearest flag or
// command.

import { Command, CommanderError } from 'commander';
import {
  type Build,
  type CommandFile,
  isWorkspaceFile,
  type Surroundings,
} from './commands/command.ts';
import { write } from './terminal/print.ts';

/** The end of --help, after the commands. */
export const HELP = `
Examples:
  grantbench                                    open the workbench
  grantbench shop.grantbench.json               open it with this workspace
  grantbench serve                              headless, on ports 4280 and 4281
  grantbench serve --port 0 --json --quiet      for a test: free ports, one line of JSON
  grantbench exec -- npm test                   a sandbox while a command runs
  grantbench token --explain                    a complete grant against the running sandbox
  grantbench traffic --follow                   requests as they arrive

Environment:
  GRANTBENCH_CONTROL, GRANTBENCH_CONTROL_TOKEN  the instance that commands use (default: the newest one)
  GRANTBENCH_PORT, GRANTBENCH_CONTROL_PORT      the two ports, of the window too
  GRANTBENCH_USER_DATA                          folder of the window’s workspace, the certificate of
                                                --https, and the list of running instances
  NO_COLOR                                      no colours, even on a terminal
  Every flag of serve has an environment variable: see grantbench serve --help.

Exit codes: 0 success; 1 internal or system error; 2 wrong usage, a port in use, an
unreadable workspace, certificate or --keep file, or no reachable instance; 3 the request was rejected.
run, check, mistakes and exec have exit codes of their own: see their --help.`;

/**
 * The commands by name, in the order of --help. A file is loaded when its command is named, or when all commands are
 * listed. A resource that is not named here gets its commands from its operations.
 */
const COMMANDS: Readonly<Record<string, () => Promise<CommandFile>>> = {
  serve: () => import('./commands/serve.ts'),
  exec: () => import('./commands/exec.ts'),
  check: () => import('./commands/check.ts'),
  run: () => import('./commands/run.ts'),
  mistakes: () => import('./commands/mistakes.ts'),
  code: () => import('./commands/code.ts'),
  token: () => import('./commands/token.ts'),
  refresh: () => import('./commands/refresh.ts'),
  tokens: () => resource('tokens'),
  devices: () => resource('devices'),
  decode: () => import('./commands/decode.ts'),
  clients: () => resource('clients'),
  users: () => resource('users'),
  audiences: () => resource('audiences'),
  apis: () => resource('apis'),
  throttle: () => import('./commands/throttle.ts'),
  refusals: () => resource('refusals'),
  clock: () => import('./commands/clock.ts'),
  faults: () => import('./commands/faults.ts'),
  hold: () => import('./commands/hold.ts'),
  holds: () => import('./commands/hold.ts').then(({ holds }) => holds),
  keys: () => import('./commands/keys.ts'),
  reset: () => import('./commands/reset.ts'),
  logout: () => import('./commands/logout.ts'),
  traffic: () => import('./commands/traffic.ts'),
  workspace: () => import('./commands/workspace.ts'),
  'saved-flows': () => resource('savedFlows'),
  'saved-requests': () => resource('savedRequests'),
  mirror: () => import('./commands/mirror.ts'),
  openapi: () => import('./commands/openapi.ts'),
  completion: () => import('./commands/completion.ts'),
};

/** Resources whose operations belong to a command with another name. */
const COVERED: Readonly<Record<string, string>> = {
  codes: 'code',
  exchanges: 'traffic',
};

async function derivedResources(): Promise<string[]> {
  const { RESOURCES } = await import('./commands/operations/operation.ts');
  const { kebab } = await import('./commands/operations/resource.ts');
  return Object.keys(RESOURCES).filter(
    (resource) => !Object.hasOwn(COMMANDS, kebab(resource)) && !Object.hasOwn(COVERED, resource),
  );
}

/** @param name in the contract */
async function resource(name: string): Promise<CommandFile> {
  const { resourceCommand } = await import('./commands/operations/resource.ts');
  const { PRESENTED } = await import('./commands/resources.ts');
  return resourceCommand(name, PRESENTED[name]);
}

export async function loadCommand(name: string): Promise<CommandFile | null> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load !== undefined) return load();
  return (await derivedResources()).includes(name) ? resource(name) : null;
}

export async function loadCommands(): Promise<CommandFile[]> {
  const derived = await derivedResources();
  return Promise.all([...Object.values(COMMANDS).map((load) => load()), ...derived.map(resource)]);
}

function createProgram({ version }: Build): Command {
  return new Command('grantbench')
    .description(
      'A sandbox OAuth 2.0 authorization server that shows how it evaluates each request. Without a command, it opens the workbench.',
    )
    .version(version, '-v, --version')
    .enablePositionalOptions()
    .showHelpAfterError('Run with --help to list commands and flags.')
    .addHelpText('after', HELP)
    .configureOutput({ writeOut: write })
    .exitOverride();
}

/** Returns the program with all commands, to generate completions and documents from it. */
export const programOf = (build: Build): Promise<Command> =>
  declareEach(createProgram(build), build);

async function declareEach(program: Command, build: Build): Promise<Command> {
  for (const { declare } of await loadCommands()) declare(program, surroundings(build));
  return program;
}

const surroundings = (build: Build): Surroundings => ({
  ...build,
  whole: () => programOf(build),
});

/**
 * Declares every command, and the window as the default. With an action of its own, the program would read a mistyped
 * command as an argument and suggest nothing.
 */
async function declareAll(program: Command, name: string, build: Build): Promise<void> {
  await declareEach(program, build);
  if (!name.startsWith('-') && !isWorkspaceFile(name)) return;
  const { declareOpen } = await import('./commands/open.ts');
  declareOpen(program, build);
}

/** Declares the window, and `serve`, which runs if no window can be opened. */
async function declareWindow(program: Command, build: Build): Promise<void> {
  const { declareOpen } = await import('./commands/open.ts');
  const { declare } = await import('./commands/serve.ts');
  declare(program, surroundings(build));
  declareOpen(program, build);
}

/**
 * `clock` alone means `clock show`. commander's own default command would read a mistyped subcommand as an argument.
 */
function withFallback(args: readonly string[], fallback: string | undefined): readonly string[] {
  const [name = '', next = '', ...rest] = args;
  const help = next === '-h' || next === '--help';
  if (fallback === undefined || help || (next !== '' && !next.startsWith('-'))) return args;
  return [name, fallback, ...(next === '' ? [] : [next]), ...rest];
}

/** Loads only what the arguments need. @returns the arguments with the default subcommand added */
async function declareNamed(program: Command, args: readonly string[], build: Build) {
  const [name] = args;
  const wantsHelp = args.includes('--help') || args.includes('-h');
  if (name === undefined || (isWorkspaceFile(name) && !wantsHelp)) {
    await declareWindow(program, build);
    return args;
  }
  if (name === '-v' || name === '--version') return args;
  const file = name.startsWith('-') ? null : await loadCommand(name);
  if (file === null) {
    await declareAll(program, name, build);
    return args;
  }
  const { declare, fallback } = file;
  declare(program, surroundings(build));
  return withFallback(args, fallback);
}

/** Help and the version are printed to standard output, errors to standard error. */
export async function runCommand(argv: readonly string[], build: Build): Promise<void> {
  const program = createProgram(build);
  const args = await declareNamed(program, argv.slice(2), build);
  try {
    await program.parseAsync([...withDashedOperands(program, args)], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  }
}

// Ids are base64url and can begin with -: in `grantbench keys retire -xW3`, -xW3 is a key and not a flag.

/** The shortest argument that can be an id; -h and -v stay flags. */
const DASHED_ID = /^-[\w-]{3,}$/;

const isDashedId = (arg: string) => DASHED_ID.test(arg) && !arg.startsWith('--');

/** Returns the command that the first arguments name, and the number of these arguments. */
function commandOf(program: Command, args: readonly string[]) {
  let command = program;
  let names = 0;
  for (;;) {
    const name = args[names] ?? '';
    const next = command.commands.find(
      (one) => one.name() === name || one.aliases().includes(name),
    );
    if (next === undefined) return { command, names };
    command = next;
    names += 1;
  }
}

/** Splits the arguments into flags with their values, and operands. */
function sorted(command: Command, args: readonly string[]) {
  const flags: string[] = [];
  const operands: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (!arg.startsWith('-') || isDashedId(arg)) {
      operands.push(arg);
      continue;
    }
    flags.push(arg);
    const option = command.options.find(({ long, short }) => arg === long || arg === short);
    const value = args[index + 1];
    if (option?.required !== true || value === undefined) continue;
    flags.push(value);
    index += 1;
  }
  return { flags, operands };
}

/** Moves ids that begin with - after a `--`, where commander reads them as operands. */
export function withDashedOperands(program: Command, args: readonly string[]): readonly string[] {
  if (args.includes('--')) return args;
  const { command, names } = commandOf(program, args);
  if (command.registeredArguments.length === 0) return args;
  const { flags, operands } = sorted(command, args.slice(names));
  if (!operands.some(isDashedId)) return args;
  return [...args.slice(0, names), ...flags, '--', ...operands];
}
