// `grantbench openapi`.

import type { Command } from 'commander';
import { begin, type Build, EXIT_CODES, GROUPS } from './command.ts';

const EXAMPLES = `
Examples:
  grantbench openapi > grantbench-openapi.json

The command needs no instance. A running instance serves the same document at <control url>/openapi.json.
${EXIT_CODES}`;

export function declare(program: Command, { version }: Build): void {
  program
    .command('openapi')
    .helpGroup(GROUPS.files)
    .allowExcessArguments(false)
    .description('print the OpenAPI document of the control API')
    .option('--json', 'print JSON (the default)')
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      await begin();
      const { createOpenApiDocument } = await import('../../engine/control-server/openapi.ts');
      const { printJson } = await import('../terminal/print.ts');
      printJson(JSON.parse(await createOpenApiDocument(version)));
    });
}
