// `grantbench` without a command: the window if there is one to be had, else what `serve` serves.

import type { Command } from 'commander';
import type { Build } from './command.ts';
import { givenControlToken } from './flag-values.ts';
import { keepOption, portOptions, type ServeOptions } from './serve/options.ts';

type Given = Pick<ServeOptions, 'port' | 'controlPort' | 'keep'>;

function headless({ port, controlPort, keep }: Given): string[] {
  const ports = ['--port', String(port), '--control-port', String(controlPort)];
  return ['serve', ...ports, ...(keep === undefined ? [] : ['--keep', keep])];
}

/** Declared with all the other commands beside it: `serve` stands in. */
export function declareOpen(program: Command, { app }: Build): void {
  for (const option of [...portOptions(), keepOption()]) program.addOption(option.hideHelp());
  program.allowExcessArguments().action(async (given: Given) => {
    const [unknown] = program.args;
    if (unknown !== undefined) program.error(`error: unknown command '${unknown}'`);
    givenControlToken(program);
    const { openWindow } = await import('./open/window.ts');
    const reason = await openWindow(app);
    if (reason === null) return;
    process.stderr.write(`The window cannot be opened: ${reason}. Running headless instead.\n`);
    await program.parseAsync(headless(given), { from: 'user' });
  });
}
