// The limits in the documentation for state that exists only during a request, a connection or a viewer.

import { MAX_OPEN } from '../src/engine/handlers/callbacks.ts';
import { STALL_MS } from '../src/engine/control-server/answers.ts';
import {
  MAX_BYTES as MAX_CONTROL_BODY,
  MAX_CALLS as MAX_REST_CALLS,
} from '../src/engine/control-server/rest.ts';
import {
  MAX_BUFFERED,
  MAX_CALLS as MAX_SOCKET_CALLS,
  MAX_SOCKETS,
} from '../src/engine/control-server/rpc-socket.ts';
import { MAX_WAITS } from '../src/engine/exchanges/log.ts';
import { MAX_SHOWN } from '../src/engine/exchanges/exchange-view.ts';
import { MAX_COUNTERS, MAX_EXCHANGES, MAX_TEXT } from '../src/engine/feed/history.ts';
import { INTERVAL_MS, MAX_VIEWERS } from '../src/engine/feed/viewers.ts';
import { LONG_BYTES, MAX_BYTES as MAX_JOURNAL } from '../src/engine/kept/journal-file.ts';
import { MAX_AT_WORK } from '../src/server/connection.ts';
import { CONNECTION_LIMITS, MAX_CONNECTIONS } from '../src/server/sockets.ts';
import { settingsSchema } from '../src/control/schemas.ts';
import { RATE_SECONDS } from '../src/control/topics.ts';
import {
  HOLD_BOUNDS,
  KEPT_BOUNDS,
  MAX_KEY_BYTES,
  MOST_FORMER,
} from '../src/core/records/bounds.ts';

const MIB = 1024 * 1024;
const UTF_16_BYTES = 2;
const written = (figure: number) => figure.toLocaleString('en');
const kib = (bytes: number) => `${written(bytes / 1024)} KiB`;
const mib = (bytes: number) => `${written(bytes / MIB)} MiB`;

interface Limit {
  readonly resource: string;
  readonly at_most: string;
  readonly in_code: string;
  /** Whether callers of the control API can reach the limit. */
  readonly control?: true;
}

export const LIMITS: readonly Limit[] = [
  {
    resource: 'connections to each port',
    at_most: written(MAX_CONNECTIONS),
    in_code: '`MAX_CONNECTIONS`',
  },
  {
    resource: 'requests of one connection that are processed at the same time',
    at_most: written(MAX_AT_WORK),
    in_code: '`MAX_AT_WORK`',
  },
  {
    resource:
      'further requests that wait on the same connection, including while a fault rule delays them or the server starts',
    at_most: 'the content of two reads of 64 KiB; no more is read',
    in_code: '`MAX_AT_WORK`',
  },
  {
    resource: 'the headers of a request',
    at_most: kib(CONNECTION_LIMITS.maxHeaderSize),
    in_code: '`CONNECTION_LIMITS`',
  },
  {
    resource: 'a body at the OAuth endpoints',
    at_most: `\`settings.max_body_bytes\`, ${kib(settingsSchema.parse({}).max_body_bytes)} by default`,
    in_code: '`settings.max_body_bytes`',
  },
  {
    resource:
      'keys and epochs in the file of `--keep`; a longer list is an error when the file is read, and the oldest entries are left out when it is written',
    at_most: `${KEPT_BOUNDS.keys} of ${kib(MAX_KEY_BYTES)}, and ${written(KEPT_BOUNDS.epochs)}`,
    in_code: '`KEPT_BOUNDS`',
  },
  {
    resource: 'revocations in the journal, before they are in the file of `--keep`',
    at_most: `${mib(MAX_JOURNAL)} on disk; saved and truncated at ${mib(LONG_BYTES)}`,
    in_code: '`MAX_BYTES` in `journal-file.ts`',
  },
  {
    resource: 'former workspaces',
    at_most: `the newest ${MOST_FORMER}, within what the current clients, users, audiences and saved records leave of their bounds`,
    in_code: '`MOST_FORMER`',
  },
  {
    resource: 'a body on the control API',
    at_most: mib(MAX_CONTROL_BODY),
    in_code: '`MAX_BYTES` in `rest.ts`',
    control: true,
  },
  {
    resource: 'calls over REST at the same time',
    at_most: written(MAX_REST_CALLS),
    in_code: '`MAX_CALLS` in `rest.ts`',
    control: true,
  },
  {
    resource: 'WebSockets',
    at_most: written(MAX_SOCKETS),
    in_code: '`MAX_SOCKETS`',
    control: true,
  },
  {
    resource: 'calls over one WebSocket at the same time',
    at_most: written(MAX_SOCKET_CALLS),
    in_code: '`MAX_CALLS` in `rpc-socket.ts`',
    control: true,
  },
  {
    resource: 'unsent data of one WebSocket',
    at_most: mib(MAX_BUFFERED),
    in_code: '`MAX_BUFFERED`',
  },
  {
    resource: 'viewers of the feed',
    at_most: written(MAX_VIEWERS),
    in_code: '`MAX_VIEWERS`',
    control: true,
  },
  {
    resource: 'batches of the feed for each viewer',
    at_most: `${1000 / INTERVAL_MS} a second`,
    in_code: '`INTERVAL_MS`',
    control: true,
  },
  {
    resource: 'the data prepared for all viewers',
    at_most: `${written(MAX_EXCHANGES)} summaries of ${mib(MAX_TEXT * UTF_16_BYTES)} together, ${written(MAX_COUNTERS)} counters, the counts of ${RATE_SECONDS} seconds`,
    in_code: '`MAX_TEXT` in `history.ts`, `MAX_COUNTERS`, `RATE_SECONDS`',
  },
  {
    resource: 'calls that wait for the next exchange',
    at_most: written(MAX_WAITS),
    in_code: '`MAX_WAITS` in `log.ts`',
    control: true,
  },
  {
    resource: 'held exchanges; further ones pass',
    at_most: `${HOLD_BOUNDS.entries} of ${mib(HOLD_BOUNDS.bytes)} together`,
    in_code: '`HOLD_BOUNDS`',
    control: true,
  },
  {
    resource: 'sessions that hold exchanges',
    at_most: written(HOLD_BOUNDS.rules),
    in_code: '`HOLD_BOUNDS`',
    control: true,
  },
  {
    resource: 'open callbacks',
    at_most: written(MAX_OPEN),
    in_code: '`MAX_OPEN`',
    control: true,
  },
  {
    resource: 'the part of a body that views and exports show',
    at_most: `${written(MAX_SHOWN)} characters; \`body_bytes\` is the full length`,
    in_code: '`MAX_SHOWN` in `exchange-view.ts`',
    control: true,
  },
  {
    resource: 'the time in which a client reads nothing, before its connection is closed',
    at_most: `${STALL_MS / 1000} s`,
    in_code: '`STALL_MS`',
    control: true,
  },
];
