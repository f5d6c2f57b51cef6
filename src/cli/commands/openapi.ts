// `grantbench openapi`.

import type { Command } from 'commander';
import { type Build, EXIT_CODES, GROUPS } from './command.ts';
import { printJson } from '../terminal/print.ts';

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
      const { createOpenApiDocument } = await import('../../engine/control-server/openapi.ts');
      printJson(JSON.parse(await createOpenApiDocument(version)));
    });
}
