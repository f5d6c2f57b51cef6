// The connection of a command to a running instance: the contract over a WebSocket, with the token as
// subprotocol. What keeps it from coming about is told in one line.

import { WebSocket } from 'ws';
import type { ControlClient } from '../../control/client.ts';
import {
  createSocketClient,
  isCutOff,
  refusalOf,
  type ControlSocket,
} from '../../control/socket-client.ts';
import { forgetInstance } from '../../engine/instance/run-file.ts';
import { CommandError } from '../command-error.ts';
import { dataFolder } from './data-folder.ts';
import { addressesOf, NONE, type Address, type Wanted } from './address.ts';

const PATIENCE_MS = 10_000;

/** As large as a workspace may be. */
const MAX_PAYLOAD = 33_554_432;

type Opened =
  { readonly socket: WebSocket } | { readonly status: number } | { readonly why: string };

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
    socket.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ why: error.code ?? error.message });
    });
  });
}

const REFUSED: Readonly<Record<number, string>> = {
  401: 'rejected the control token: it is not the one that the instance printed (GRANTBENCH_CONTROL_TOKEN, or #token= in --control).',
  403: 'rejected this host name: see --allow-host of grantbench serve.',
  404: 'has no control API: give the URL of the control server (port 4281 by default), not the issuer.',
};

/** Of oRPC itself: codes of the contract are in lower case. */
const UNKNOWN_OPERATION = 'NOT_FOUND';
const OTHER_VERSION =
  'does not have this operation: it is another version of Grantbench. Use the command of its version, or choose another instance with --control, --issuer or --port.';

const refused = (url: string, status: number) =>
  new CommandError(
    2,
    `${url} ${REFUSED[status] ?? `responded with ${status}; it is not a control server.`}`,
  );

/** The first that answers. Entries of processes that no longer listen are removed on the way. */
async function reach(wanted: Wanted): Promise<{ socket: WebSocket; url: string }> {
  for (const address of addressesOf(wanted)) {
    const opened = await open(address);
    if ('socket' in opened) return { ...opened, url: address.url };
    if ('status' in opened) throw refused(address.url, opened.status);
    if (address.pid === null) {
      throw new CommandError(
        2,
        `There is no response from ${address.url} (${opened.why}). Check that it is running.`,
      );
    }
    if (opened.why === 'ECONNREFUSED') forgetInstance(dataFolder(), address.pid);
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

/**
 * Speaks to the instance that is wanted, for as long as the work takes.
 * @throws CommandError when it cannot be reached or refuses something
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
