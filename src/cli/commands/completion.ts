// `grantbench completion`: its argument.

import { Argument, type Command } from 'commander';
import { GROUPS, type Surroundings } from './command.ts';
import { SHELLS, type Shell } from './completion/shells.ts';
import { begin, EXIT_CODES } from './connection.ts';

const HELP = `
Examples:
  grantbench completion bash >> ~/.bashrc
  grantbench completion zsh > "\${fpath[1]}/_grantbench"
  grantbench completion fish > ~/.config/fish/completions/grantbench.fish
  grantbench completion powershell | Out-File -Append -Encoding utf8 $PROFILE
${EXIT_CODES}`;

export function declare(program: Command, { whole }: Surroundings): void {
  program
    .command('completion')
    .helpGroup(GROUPS.files)
    .allowExcessArguments(false)
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action(async (shell: Shell) => {
      await begin();
      const { completionScript } = await import('./completion/script.ts');
      const { print } = await import('../terminal/print.ts');
      print(completionScript(await whole(), shell));
    });
}
