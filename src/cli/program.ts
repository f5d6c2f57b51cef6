// Reads the arguments and runs the command they name. What is wrong with them is printed as commander
// words it, with the nearest flag or command.

import { Command, CommanderError } from 'commander';
import type { Build, Surroundings } from './commands/command.ts';
import { loadCommand, loadCommands } from './commands/index.ts';
import { withDashedOperands } from './dashed-operands.ts';
import { watchReader } from './terminal/print.ts';

/** What --help says after the commands. */
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
unreadable workspace, certificate or --keep file, or no reachable instance; 3 the request was rejected.`;

/** Help is often read through `| head`, which may go away before its end. */
function printHelp(text: string): void {
  watchReader();
  process.stdout.write(text);
}

function createProgram({ version }: Build): Command {
  return new Command('grantbench')
    .description(
      'A sandbox OAuth 2.0 token server that shows how each request is validated. Without a command, it opens the workbench.',
    )
    .version(version, '-v, --version')
    .enablePositionalOptions()
    .showHelpAfterError('Run with --help for the commands and flags.')
    .addHelpText('after', HELP)
    .configureOutput({ writeOut: printHelp })
    .exitOverride();
}

/** The whole program, for what is made of it. */
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
 * Every command, and the window for want of one. With an action of its own the program would take a
 * mistyped command for an argument, and suggest none.
 */
async function declareAll(program: Command, name: string | undefined, build: Build): Promise<void> {
  await declareEach(program, build);
  const { declareOpen, isWorkspaceFile } = await import('./commands/open.ts');
  if (name !== undefined && !name.startsWith('-') && !isWorkspaceFile(name)) return;
  declareOpen(program, build);
}

/** `clock` alone is `clock show`. commander's own default would take a mistyped one for an argument. */
function withFallback(args: readonly string[], fallback: string | undefined): readonly string[] {
  const [name = '', next = '', ...rest] = args;
  const help = next === '-h' || next === '--help';
  if (fallback === undefined || help || (next !== '' && !next.startsWith('-'))) return args;
  return [name, fallback, ...(next === '' ? [] : [next]), ...rest];
}

/**
 * A command that is named comes alone: the others need not be loaded for it.
 * @returns the arguments as they are meant
 */
async function declareNamed(program: Command, args: readonly string[], build: Build) {
  const [name] = args;
  const file = name === undefined || name.startsWith('-') ? null : await loadCommand(name);
  if (file === null) {
    await declareAll(program, name, build);
    return args;
  }
  const { declare, fallback } = file;
  declare(program, surroundings(build));
  return withFallback(args, fallback);
}

/** Help and the version go to standard output, complaints to standard error. */
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
