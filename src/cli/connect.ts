// Connects a command to a running instance, the given one or one on this machine: the contract over a WebSocket, with
// the control token as subprotocol. If that fails, one line says why.

import { WebSocket } from 'ws';
import { forgetInstance, type Instance, listInstances } from '../engine/run-file.ts';
import { codeOf, connectionProblem } from '../engine/errors.ts';
import { CommandError } from './command-error.ts';
import { isControlUrl } from './commands/flag-values.ts';
import { dataFolder } from './data-folder.ts';
import type { ControlClient } from '../control/contract.ts';
import {
  type ControlSocket,
  createSocketClient,
  isCutOff,
  refusalOf,
} from '../control/socket-client.ts';

/** The values of the flags. */
export interface Wanted {
  /** The URL of the control server. As in the printed URL, the control token may be in its fragment. */
  readonly control?: string | undefined;
  readonly issuer?: string | undefined;
  readonly port?: number | undefined;
}

interface Address {
  readonly url: string;
  readonly token: string;
  /** The process that registered the instance, if it was found on this machine. */
  readonly pid: number | null;
}

const TOKEN_MISSING =
  'The control token is missing. Set GRANTBENCH_CONTROL_TOKEN, or give the URL that serve printed, including #token=.';

const sameUrl = (one: string, other: string) => new URL(one).origin === new URL(other).origin;

function named(control: string, instances: readonly Instance[]): Address {
  const url = new URL(control);
  const announced = instances.find((one) => sameUrl(one.control.url, control));
  const token =
    new URLSearchParams(url.hash.slice(1)).get('token') ??
    (process.env['GRANTBENCH_CONTROL_TOKEN'] || undefined) ??
    announced?.control.token;
  if (token === undefined) throw new CommandError(2, TOKEN_MISSING);
  // No instance has another token, and none could be sent as a subprotocol.
  if (!/^[-.\w~]*$/.test(token)) throw rejected(url.origin, 401);
  return { url: url.origin + url.pathname.replace(/(?<!\/)\/+$/, ''), token, pid: null };
}

const NONE =
  'No instance of Grantbench on this machine can be reached. Start one with grantbench serve, turn on automation access in the settings of the window, or set --control <url> (env: GRANTBENCH_CONTROL).';

function noInstance({ issuer, port }: Wanted, instances: readonly Instance[]): CommandError {
  if (instances.length === 0) return new CommandError(2, NONE);
  const asked = issuer === undefined ? `port ${String(port)}` : `issuer ${issuer}`;
  const running = instances.map((one) => `${one.issuer} (port ${one.port})`).join(', ');
  return new CommandError(
    2,
    `No instance with ${asked} is running on this machine. Running: ${running}.`,
  );
}

const withoutSlash = (url: string) => url.replace(/\/$/, '');

/** Returns the addresses to try, newest first. @throws CommandError if there are none */
function addressesOf(wanted: Wanted): readonly Address[] {
  const instances = listInstances(dataFolder());
  const chosen = wanted.issuer !== undefined || wanted.port !== undefined;
  const control = wanted.control ?? (chosen ? '' : process.env['GRANTBENCH_CONTROL']);
  if (control) {
    if (isControlUrl(control)) return [named(control, instances)];
    const message = `${control} is not the URL of a control server, such as http://localhost:4281.`;
    throw new CommandError(2, message);
  }
  const fitting = instances.filter(
    ({ issuer, port }) =>
      (wanted.issuer === undefined || withoutSlash(wanted.issuer) === withoutSlash(issuer)) &&
      (wanted.port ?? port) === port,
  );
  if (fitting.length === 0) throw noInstance(wanted, instances);
  return fitting.map((one) => ({ ...one.control, pid: one.pid }));
}

const PATIENCE_MS = 10_000;

/** The size limit of a workspace. */
const MAX_PAYLOAD = 33_554_432;

type Opened =
  { readonly socket: WebSocket } | { readonly status: number } | { readonly failed: Error };

function open({ url, token }: Address): Promise<Opened> {
  const socket = new WebSocket(
    `${url.replace(/^http/, 'ws')}/rpc`,
    ['grantbench', `token.${token}`],
    {
      handshakeTimeout: PATIENCE_MS,
      maxPayload: MAX_PAYLOAD,
    },
  );
  return new Promise((resolve) => {
    socket.once('open', () => {
      resolve({ socket });
    });
    socket.once('unexpected-response', (_request, { statusCode = 0 }) => {
      resolve({ status: statusCode });
      socket.terminate();
    });
    socket.on('error', (failed) => {
      resolve({ failed });
    });
  });
}

const REJECTED: Readonly<Record<number, string>> = {
  401: 'rejected the control token. Use the one that the instance printed (GRANTBENCH_CONTROL_TOKEN, or #token= in --control).',
  403: 'rejected this host name. See --allow-host of grantbench serve.',
  404: 'has no control API. Give the URL of the control server (port 4281 by default), not the issuer.',
};

/** A code of oRPC itself; codes of the contract are in lower case. */
const UNKNOWN_OPERATION = 'NOT_FOUND';
const OTHER_VERSION =
  'is another version of Grantbench without this operation. Use the command of that version, or choose another instance with --control, --issuer or --port.';

const rejected = (url: string, status: number) =>
  new CommandError(
    2,
    `${url} ${REJECTED[status] ?? `responded with ${status}; it is not a control server.`}`,
  );

/** Connects to the first address that responds, and removes the entries of processes that no longer listen. */
async function reach(wanted: Wanted): Promise<{ socket: WebSocket; url: string }> {
  for (const address of addressesOf(wanted)) {
    const opened = await open(address);
    if ('socket' in opened) return { ...opened, url: address.url };
    if ('status' in opened) throw rejected(address.url, opened.status);
    if (address.pid === null) {
      throw new CommandError(
        2,
        `No response from ${address.url} (${connectionProblem(opened.failed)}). Check that the instance is running.`,
      );
    }
    if (codeOf(opened.failed) === 'ECONNREFUSED') forgetInstance(dataFolder(), address.pid);
  }
  throw new CommandError(2, NONE);
}

function explained(error: unknown, url: string): unknown {
  const refusal = refusalOf(error);
  if (refusal === null) {
    return isCutOff(error) ? new CommandError(1, `${url} closed the connection.`) : error;
  }
  const { code, message } = refusal;
  if (code === UNKNOWN_OPERATION) return new CommandError(2, `${url} ${OTHER_VERSION}`);
  if (code === 'fault') return new CommandError(1, `${url} had an internal error: ${message}.`);
  return new CommandError(3, `${message} (${code}).`);
}

interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

export async function readAll<T>(
  list: (query: { limit: number; after?: string }) => Promise<Page<T>>,
): Promise<readonly T[]> {
  const all: T[] = [];
  let after: string | undefined;
  do {
    const { items, next } = await list({ limit: 1000, ...(after === undefined ? {} : { after }) });
    all.push(...items);
    after = next ?? undefined;
  } while (after !== undefined);
  return all;
}

/**
 * Connects to an instance, does the work and disconnects.
 * @throws CommandError if the instance cannot be reached or rejects a request
 */
export async function withControl<T>(
  wanted: Wanted,
  work: (control: ControlClient, url: string) => Promise<T>,
): Promise<T> {
  const { socket, url } = await reach(wanted);
  try {
    return await work(createSocketClient(socket as unknown as ControlSocket), url);
  } catch (error) {
    throw explained(error, url);
  } finally {
    socket.terminate();
  }
}
