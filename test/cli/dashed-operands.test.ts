// Ids that begin with - are operands.

import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { withDashedOperands } from '../../src/cli/program.ts';

function program(): Command {
  const keys = new Command('keys').alias('k');
  keys.command('retire').argument('<kid>').option('--json').option('--control <url>');
  keys.command('rotate').option('--json');
  const exec = new Command('exec').argument('<command...>').option('--port <n>');
  return new Command('grantbench').option('-v, --version').addCommand(keys).addCommand(exec);
}

describe('an id that begins with -', () => {
  it.each([
    ['keys retire -fqKkKgX', 'keys retire -- -fqKkKgX'],
    ['k retire -fqKkKgX', 'k retire -- -fqKkKgX'],
    ['keys retire -f-_9 --json', 'keys retire --json -- -f-_9'],
    ['keys retire --json -fqKkKgX', 'keys retire --json -- -fqKkKgX'],
    ['keys retire --control -url -fqKk', 'keys retire --control -url -- -fqKk'],
    ['keys retire --control=-url -fqKk', 'keys retire --control=-url -- -fqKk'],
  ])('in %j is an operand: %j', (args, meant) => {
    expect(withDashedOperands(program(), args.split(' ')).join(' ')).toBe(meant);
  });

  it.each([
    'keys retire kid --json',
    'keys retire kid --typo',
    'keys retire -h',
    'keys retire --control',
    'keys retire -- -fqKkKgX',
    'keys rotate -fqKkKgX',
    'exec -- -fqKk',
    '-fqKkKgX',
    '',
  ])('is not recognized in %j', (args) => {
    const given = args.split(' ');
    expect(withDashedOperands(program(), given)).toBe(given);
  });

  it('reaches the command', async () => {
    const reached: unknown[] = [];
    const keys = new Command('keys');
    keys
      .command('retire')
      .argument('<kid>')
      .option('--json')
      .action((kid, options) => void reached.push(kid, options));
    const whole = new Command('grantbench').enablePositionalOptions().addCommand(keys);
    const args = withDashedOperands(whole, ['keys', 'retire', '-fqKkKgX', '--json']);
    await whole.parseAsync([...args], { from: 'user' });
    expect(reached).toEqual(['-fqKkKgX', { json: true }]);
  });
});
