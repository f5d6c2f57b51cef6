// `grantbench` without a command: the window if there is one to be had, else what `serve` serves.

import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Build } from './command.ts';
import { givenControlToken } from './flag-values.ts';
import { keepOption, portOptions, type ServeOptions } from './serve/options.ts';

/** What installers have open with the workbench; Windows and macOS do not tell upper from lower case. */
export const isWorkspaceFile = (argument: string): boolean =>
  argument.toLowerCase().endsWith('.grantbench.json');

type Given = Pick<ServeOptions, 'port' | 'controlPort' | 'keep'>;

function headless({ port, controlPort, keep }: Given, file: string | undefined): string[] {
  const ports = ['--port', String(port), '--control-port', String(controlPort)];
  const workspace = file === undefined ? [] : ['--workspace', file, '--save'];
  return [
    'serve',
    '--open',
    ...ports,
    ...workspace,
    ...(keep === undefined ? [] : ['--keep', keep]),
  ];
}

/** Declared with all the other commands beside it: `serve` stands in. */
export function declareOpen(program: Command, { app }: Build): void {
  for (const option of [...portOptions(), keepOption()]) program.addOption(option.hideHelp());
  program.allowExcessArguments().action(async (given: Given) => {
    const [file, ...others] = program.args;
    const unknown = [file, ...others].find((one) => one !== undefined && !isWorkspaceFile(one));
    if (unknown !== undefined) program.error(`error: unknown command '${unknown}'`);
    if (others.length > 0) program.error('error: one workspace file can be opened at a time');
    givenControlToken(program);
    const { openWindow } = await import('./open/window.ts');
    const reason = await openWindow(app, file === undefined ? null : resolve(file));
    if (reason === null) return;
    process.stderr.write(`The window cannot be opened: ${reason}. Serving its page instead.\n`);
    await program.parseAsync(headless(given, file), { from: 'user' });
  });
}
