// `grantbench hold`: holds exchanges of an app while it runs, prints each, and reads decisions from standard input; and
// `grantbench holds`, for decisions by other commands.

import { createInterface } from 'node:readline';
import { InvalidArgumentError, type Command } from 'commander';
import type { ControlClient } from '../../control/contract.ts';
import { shortGrantName } from '../../control/names.ts';
import type { Held, HoldRuleInput } from '../../control/schemas.ts';
import { refusalOf } from '../../control/socket-client.ts';
import { CommandError } from '../command-error.ts';
import { withControl } from '../connect.ts';
import { answerInWords, withoutQuery } from '../terminal/exchange-line.ts';
import { paint, print, remark, withoutControls } from '../terminal/print.ts';
import type { Column } from '../terminal/table.ts';
import { type CommandFile, connected, type Connection, GROUPS } from './command.ts';
import { given } from './flag-values.ts';
import { resourceCommand } from './operations/resource.ts';

interface HoldOptions extends Connection {
  readonly next?: boolean;
  readonly response?: boolean;
  readonly rejected?: boolean;
  readonly path?: string;
  readonly clientId?: string;
  readonly grant?: string;
  readonly releaseAfter?: number;
}

function ruleOf(options: HoldOptions): HoldRuleInput {
  const { next, response, rejected = false, path, clientId, grant, releaseAfter } = options;
  const match = { path: null, method: null, grant_type: null, client_id: null };
  return {
    match: { ...match, ...given({ path, client_id: clientId, grant_type: grant }) },
    at: response || rejected ? 'response' : 'request',
    rejected_only: rejected,
    times: next ? 1 : null,
    ...given({ release_after_ms: releaseAfter }),
  };
}

/** What would happen to the request, or what the waiting response is. */
async function outcomeInWords(control: ControlClient, { number, at }: Held): Promise<string> {
  const { forecast, exchange } = await control.holds.get({ number });
  if (at === 'response') {
    const { cause } = exchange;
    return `response ${answerInWords(exchange)}${cause === null ? '' : `: ${cause}`}`;
  }
  if (forecast === null) return 'not evaluated yet';
  const { why } = forecast;
  return `would get ${answerInWords(forecast)}${why === null ? '' : `: ${why.summary}`}`;
}

const described = ({ number, method, path, client_id, grant_type }: Held): string =>
  [
    `#${number}`,
    method,
    withoutQuery(path),
    client_id ?? '-',
    grant_type === null ? '-' : shortGrantName(grant_type),
  ].join(' ');

const KEYS =
  'Type r to release, s to release and hold the next request, w to release and hold its response, d to drop, a <reason> to answer. This applies to the oldest exchange, unless you add a number: r 7.';

/** Carries out a line of input; null if it is none. */
function decisionOf(control: ControlClient, line: string, oldest: number | undefined) {
  const [, key = '', chosen, reason = ''] =
    /^\s*([rswda])(?:\s+(\d{1,15}))?(?:\s+(\w+))?\s*$/.exec(line) ?? [];
  const number = chosen === undefined ? oldest : Number(chosen);
  if (number === undefined) return null;
  switch (key) {
    case 'r':
      return control.holds.release({ number });
    case 's':
      return control.holds.release({ number, step: true });
    case 'w':
      return control.holds.release({ number, hold_response: true });
    case 'd':
      return control.holds.drop({ number });
    case 'a':
      return control.holds.answer({ number, reason });
    default:
      return null;
  }
}

function readDecisions(control: ControlClient, oldest: () => number | undefined) {
  const input = createInterface({ input: process.stdin });
  input.on('line', (line) => {
    const decided = decisionOf(control, line, oldest());
    if (decided === null) {
      remark(KEYS);
      return;
    }
    decided.catch((error: unknown) => {
      const { message = String(error) } = refusalOf(error) ?? {};
      remark(`${message}.`);
    });
  });
  return input;
}

async function hold(options: HoldOptions): Promise<void> {
  await withControl(options, async (control) => {
    let held: readonly Held[] = [];
    const events = await control.holds.start(ruleOf(options));
    const input = readDecisions(control, () => held[0]?.number);
    const known = new Map<string, Held>();
    if (!options.json) remark(`Holding. ${KEYS}`);
    try {
      for await (const event of events) {
        ({ held } = event);
        for (const one of held) {
          const key = `${one.number} ${one.at}`;
          const former = known.get(key);
          known.set(key, one);
          if (former !== undefined && former.client_gone === one.client_gone) continue;
          if (options.json) print(JSON.stringify(one));
          else if (one.client_gone) print(withoutControls(`${described(one)}: the client hung up`));
          else {
            const what = await outcomeInWords(control, one).catch(() => 'no longer held');
            print(`${paint('bold', withoutControls(described(one)))} ${withoutControls(what)}`);
          }
        }
      }
    } finally {
      input.close();
    }
    if (options.next && known.size > 0) return;
    throw new CommandError(1, 'Holding has ended: the sandbox was reset or stopped.');
  });
}

/** In milliseconds. */
function parseDuration(value: string): number {
  const [, count = '', unit = 's'] = /^(\d{1,7})(ms|s|m)?$/.exec(value) ?? [];
  const ms = Number(count) * { ms: 1, s: 1000, m: 60_000 }[unit as 'ms' | 's' | 'm'];
  if (count !== '' && ms >= 1 && ms <= 3_600_000) return ms;
  throw new InvalidArgumentError('It must be a time of at most an hour, such as 10s, 500ms or 5m.');
}

const EXAMPLES = `  grantbench hold                               every request of the app, until Ctrl+C
  grantbench hold --next                        only the next one
  grantbench hold --rejected                    every response to a rejected request
  grantbench hold --path /oauth/token --client-id demo-app --release-after 10s
  grantbench hold --json                        one held exchange per line; decide with grantbench holds`;

export function declare(program: Command): void {
  const command = program
    .command('hold')
    .helpGroup(GROUPS.sandbox)
    .description('hold requests of the app, look at them and decide')
    .option('--next', 'only the next one')
    .option('--response', 'hold the response, after the evaluation')
    .option('--rejected', 'hold only responses to rejected requests')
    .option('--path <path>', 'only this path below the issuer; * for any characters')
    .option('--client-id <id>', 'only requests of this client')
    .option('--grant <grant_type>', 'only requests with this grant_type')
    .option(
      '--release-after <time>',
      'release unchanged after this time (default: 5m)',
      parseDuration,
    );
  connected(command, EXAMPLES).action(hold);
}

const COLUMNS: readonly Column<Held>[] = [
  { title: '#', right: true, cell: ({ number }) => ({ text: String(number), style: 'bold' }) },
  { title: 'HELD', cell: ({ at }) => at },
  { title: 'REQUEST', cell: ({ method, path }) => `${method} ${withoutQuery(path)}` },
  { title: 'CLIENT', cell: ({ client_id }) => client_id ?? '-' },
  { title: 'LEFT', right: true, cell: ({ seconds_left }) => `${seconds_left} s` },
];

/** Decisions about what `grantbench hold` or the workbench holds. */
export const holds: CommandFile = resourceCommand('holds', {
  description: 'list held exchanges, release, edit, answer or drop them',
  operations: {
    list: { columns: COLUMNS, empty: 'Nothing is held.' },
    get: { examples: ['7'] },
    forecast: { examples: [`7 'request=[{"member":"code_verifier","do":"remove"}]'`] },
    release: {
      done: 'Released',
      examples: ['7', '7 --step', `7 'request=[{"member":"code_verifier","do":"remove"}]'`],
    },
    releaseAll: { done: 'Released' },
    answer: { done: 'Answered', examples: ['7 --reason code_expired'] },
    drop: { done: 'Dropped', examples: ['7'] },
  },
  by_hand: { operations: ['start'], declare: () => undefined },
});
