// `grantbench traffic`: lists, streams or explains exchanges, or writes them as HAR.

import { Option, type Command } from 'commander';
import type { ControlClient } from '../../control/contract.ts';
import type { ExchangeSummary, FeedBatch, Sender } from '../../control/schemas.ts';
import { SENDERS } from '../../control/names.ts';
import { CommandError } from '../command-error.ts';
import { saveText } from '../files.ts';
import { withControl } from '../connect.ts';
import { given, parseFile, parseWhole, rejectFlags } from './flag-values.ts';
import { exchangeRow, exchangeTitles, explanation } from '../terminal/exchange.ts';
import { print, printJson, remark, write } from '../terminal/print.ts';
import { connected, type Connection, GROUPS } from './command.ts';
import { pluralize } from '../../words.ts';

interface TrafficOptions extends Connection {
  readonly follow?: boolean;
  readonly har?: string;
  readonly explain?: number;
  readonly limit: number;
  readonly clientId?: string;
  readonly status?: number;
  readonly error?: string;
  readonly sentBy?: Sender;
  readonly secrets?: boolean;
}

const filterOf = ({ clientId, status, error, sentBy }: TrafficOptions) =>
  given({ client_id: clientId, status, error, sent_by: sentBy });

const isWanted = (exchange: ExchangeSummary, { clientId, status, error, sentBy }: TrafficOptions) =>
  (clientId === undefined || exchange.client_id === clientId) &&
  (status === undefined || exchange.status === status) &&
  (error === undefined || exchange.error === error) &&
  (sentBy === undefined || exchange.sent_by === sentBy);

async function exportHar(control: ControlClient, file: string, options: TrafficOptions) {
  const { secrets = false } = options;
  const har = await control.exchanges.export({ format: 'har', secrets, ...filterOf(options) });
  const text = `${JSON.stringify(har, null, 2)}\n`;
  if (file === '-') {
    write(text);
    return;
  }
  saveText(file, text);
  const count = 'log' in har ? har.log.entries.length : 0;
  remark(`Wrote ${count} ${count === 1 ? 'exchange' : 'exchanges'} to ${file}.`);
}

async function explainOne(control: ControlClient, number: number, options: TrafficOptions) {
  const { json = false, secrets = false } = options;
  const exchange = await control.exchanges.get({ number, secrets });
  if (json) printJson(exchange);
  else print(explanation(exchange).trimStart());
}

/** Returns the exchanges that it printed. */
async function listNewest(
  control: ControlClient,
  options: TrafficOptions,
): Promise<readonly ExchangeSummary[]> {
  const { limit, follow = false } = options;
  const filter = filterOf(options);
  const { items } = await control.exchanges.list({ limit, ...filter });
  if (options.json && !follow) {
    printJson(items);
    return items;
  }
  if (items.length === 0 && !follow) {
    remark(Object.keys(filter).length === 0 ? 'No requests yet.' : 'No matching requests.');
    return items;
  }
  if (!options.json) print(exchangeTitles());
  printExchanges(items.toReversed(), options);
  return items;
}

function printExchanges(exchanges: readonly ExchangeSummary[], { json }: TrafficOptions): void {
  for (const exchange of exchanges) {
    print(json ? JSON.stringify(exchange) : exchangeRow(exchange));
  }
}

/**
 * Subscribes to the feed before it reads the list, so that no exchange is missed. An exchange that takes long comes after
 * later ones.
 */
async function follow(control: ControlClient, url: string, options: TrafficOptions): Promise<void> {
  const batches = await control.events();
  const listed = new Set((await listNewest(control, options)).map(({ number }) => number));
  let before: FeedBatch | null = null;
  for await (const batch of batches) {
    const { sandbox, exchanges, first, totals } = batch;
    // A reset starts another sandbox, of which nothing was missed.
    if (before !== null && before.sandbox === sandbox && first > before.last + 1) {
      const missed = totals.requests - before.totals.requests - exchanges.length;
      remark(
        `Missed ${pluralize(missed, 'request')}: too many arrived at once. grantbench traffic --limit 1000 lists the newest.`,
      );
    }
    before = batch;
    const fresh = exchanges.filter(
      (exchange) => !listed.has(exchange.number) && isWanted(exchange, options),
    );
    printExchanges(fresh, options);
  }
  throw new CommandError(1, `${url} has stopped.`);
}

async function showTraffic(options: TrafficOptions, command: Command): Promise<void> {
  if (options.har === undefined && !(options.explain !== undefined && options.json)) {
    rejectFlags(command, ['secrets'], 'needs --har <file>, or --explain <number> with --json.');
  }
  await withControl(options, async (control, url) => {
    if (options.har !== undefined) return exportHar(control, options.har, options);
    if (options.explain !== undefined) return explainOne(control, options.explain, options);
    if (options.follow) return follow(control, url, options);
    await listNewest(control, options);
  });
}

const EXAMPLES = `  grantbench traffic                            the newest exchanges
  grantbench traffic --follow                   and new ones as they arrive, until Ctrl+C
  grantbench traffic --explain 3                why exchange 3 got its response
  grantbench traffic --status 400 --json | jq -r .[].cause
  grantbench traffic --sent-by app              without requests of Grantbench itself
  grantbench traffic --har traffic.har          for browser developer tools; without secrets
  grantbench traffic --follow --json            one exchange per line`;

export function declare(program: Command): void {
  const command = program
    .command('traffic')
    .helpGroup(GROUPS.watch)
    .description('list requests and responses')
    .option('-f, --follow', 'stream new exchanges')
    .addOption(
      new Option('--explain <number>', 'one exchange with its trace')
        .argParser(parseWhole(1))
        .conflicts(['follow', 'har', 'limit', 'clientId', 'status', 'error', 'sentBy']),
    )
    .addOption(
      new Option('--har <file>', 'write HAR 1.2 to this file; - is standard output')
        .argParser(parseFile)
        .conflicts(['follow', 'limit', 'json']),
    )
    .option('--limit <count>', 'number of newest exchanges, at most 1000', parseWhole(1, 1000), 20)
    .option('--client-id <id>', 'only exchanges of this client')
    .option('--status <status>', 'only exchanges with this status', parseWhole(100, 599))
    .option('--error <code>', 'only exchanges with this error')
    .addOption(new Option('--sent-by <who>', 'only exchanges with this sender').choices(SENDERS))
    .option('--secrets', 'include secrets in HAR and --explain --json');
  connected(command, EXAMPLES).action(showTraffic);
}
