// The page's connection to the engine, and the only file that knows the bridge and oRPC: a MessagePort in the window, a
// WebSocket in a browser tab. `control` stays the same object when the page reconnects. One listener learns the state
// of the connection.

import { createORPCClient, DynamicLink, ORPCError, type ClientLink } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import { isJsonObject } from '../../json.ts';
import type { ControlClient } from '../../control/contract.ts';
import type { FeedBatch } from '../../control/schemas.ts';
import type { WindowClient } from '../../control/window-contract.ts';

type Link = ClientLink<object>;

/** `rejected`: the control token is missing or wrong. */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'rejected';

export interface ConnectionListener {
  /** When it is `open`, the feed is being subscribed: lists may be requested without missing a change. */
  readonly onState: (state: ConnectionState) => void;
  readonly onBatch: (batch: FeedBatch) => void;
}

interface Connection {
  readonly link: Link;
  readonly closed: Promise<void>;
}

class ConnectionRejected extends Error {}

const TOKEN_KEY = 'grantbench.token';
const CONNECT_MESSAGE = 'grantbench:connect';
const BACKOFF_MS = { first: 250, most: 5000 };
/** A server that accepts a connection may never respond, such as a stopped process. */
const RESPONSE_MS = 10_000;
/** An export is one message, which may take seconds to arrive. */
const SILENCE_MS = 15_000;
const NOT_CONNECTED = 'The connection to Grantbench is lost. Reconnecting; try again in a moment.';

let current: Link | null = null;

const link = new DynamicLink(() => {
  if (current === null) throw new Error(NOT_CONNECTED);
  return current;
});

/** Every control operation. Rejects at once while there is no connection. */
export const control: ControlClient = createORPCClient(link);

/** The operations of the window; null in a browser tab. */
export const windowControl: WindowClient | null =
  window.grantbench === undefined ? null : createORPCClient(link);

/** If the connection closes during a call, oRPC rejects it with a message about its own queues. */
const isCutOff = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** What went wrong, for people: the message, and the field that the engine named, if any. */
export function problemOf(error: unknown): { code: string; message: string; field: string | null } {
  if (error instanceof ORPCError) {
    const { code, message, data } = error as ORPCError<string, unknown>;
    const field = isJsonObject(data) ? data['field'] : null;
    return { code, message, field: typeof field === 'string' ? field : null };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'unavailable', message: isCutOff(error) ? NOT_CONNECTED : message, field: null };
}

/** Takes the token out of the address, and so out of history and screenshots. Returns whether there was one. */
function takeToken(): boolean {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null) return false;
  sessionStorage.setItem(TOKEN_KEY, given);
  history.replaceState(null, '', location.pathname + location.search);
  return true;
}

/** Uses this token from now on. A whole address that contains one is accepted too. */
export function enterToken(text: string): void {
  const [, token = text] = /#token=([^&\s]+)/.exec(text) ?? [];
  sessionStorage.setItem(TOKEN_KEY, token.trim());
  reconnect();
}

/** Whether the page has a token. While it cannot connect, that token was rejected. */
export const hasToken = (): boolean => sessionStorage.getItem(TOKEN_KEY) !== null;

/** The address and token of the control server, for automation; null in the window. */
export function browserAccess(): { readonly url: string; readonly token: string } | null {
  const token = sessionStorage.getItem(TOKEN_KEY);
  if (window.grantbench !== undefined || token === null) return null;
  return { url: location.origin, token };
}

/** The process of the window gets the other end; what is sent before it listens waits. */
async function connectPort(): Promise<Connection> {
  const { port1: port, port2 } = new MessageChannel();
  const closed = new Promise<void>((done) => port.addEventListener('close', () => done()));
  window.postMessage(CONNECT_MESSAGE, location.origin, [port2]);
  const link = new PortLink({ port });
  port.start();
  return { link, closed };
}

/**
 * Resolves when the socket closes or, because a stopped process closes nothing, when the server stays silent.
 * @param ask sends anything that is answered
 */
export function endOf(socket: WebSocket, ask: () => void): Promise<void> {
  return new Promise((done) => {
    let silent = false;
    const timer = setInterval(() => {
      if (silent) {
        socket.close();
        end();
        return;
      }
      silent = true;
      ask();
    }, SILENCE_MS);
    const end = () => {
      clearInterval(timer);
      done();
    };
    socket.addEventListener('message', () => (silent = false));
    socket.addEventListener('close', end);
  });
}

async function connectSocket(): Promise<Connection> {
  const token = sessionStorage.getItem(TOKEN_KEY);
  if (token === null) throw new ConnectionRejected();
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(`${scheme}//${location.host}/rpc`, ['grantbench', `token.${token}`]);
  const closed = endOf(socket, () => void control.clock.get().catch(() => undefined));
  const link = new SocketLink({ websocket: socket });
  const late = new AbortController();
  late.signal.addEventListener('abort', () => socket.close());
  const timer = setTimeout(() => late.abort(), RESPONSE_MS);
  try {
    const opened = await new Promise<boolean>((done) => {
      socket.addEventListener('open', () => done(true));
      socket.addEventListener('close', () => done(false));
    });
    if (opened) return { link, closed };
    const rejected = await isRejected(token, late.signal);
    // Another token may have been entered meanwhile.
    if (sessionStorage.getItem(TOKEN_KEY) !== token) return await connectSocket();
    if (rejected) throw new ConnectionRejected();
    throw new Error('The control server does not respond');
  } finally {
    clearTimeout(timer);
  }
}

/** A failed WebSocket gives no reason: a rejected token and a stopped server look the same. */
async function isRejected(token: string, signal: AbortSignal): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch('/api/server', { headers, signal }).catch(() => null);
  return answer?.status === 401;
}

async function follow(connection: Connection, listener: ConnectionListener): Promise<void> {
  current = connection.link;
  try {
    // Calls begin in their order, so whatever changes after a list was read is in the feed.
    const subscribing = control.events();
    listener.onState('open');
    const reading = (async () => {
      for await (const batch of await subscribing) listener.onBatch(batch);
    })();
    await Promise.race([reading, connection.closed]);
  } finally {
    current = null;
  }
}

let endPause = () => {};

/** Waits for the given time, or until someone asks to try at once. @param ms null for no limit */
function pause(ms: number | null): Promise<void> {
  return new Promise((done) => {
    const timer = ms === null ? undefined : setTimeout(done, ms);
    endPause = () => {
      clearTimeout(timer);
      done();
    };
  });
}

/** Ends the current pause, so that the next attempt starts at once. */
export const reconnect = (): void => endPause();

async function keepConnected(
  connect: () => Promise<Connection>,
  listener: ConnectionListener,
): Promise<void> {
  let wait = BACKOFF_MS.first;
  for (;;) {
    try {
      const connection = await connect();
      wait = BACKOFF_MS.first;
      await follow(connection, listener);
    } catch (error) {
      if (error instanceof ConnectionRejected) {
        listener.onState('rejected');
        await pause(null);
        listener.onState('connecting');
        continue;
      }
    }
    listener.onState('lost');
    await pause(wait);
    wait = Math.min(wait * 2, BACKOFF_MS.most);
  }
}

/** Connects, and reconnects for the life of the page. */
export function startControl(listener: ConnectionListener): void {
  if (window.grantbench !== undefined) {
    void keepConnected(connectPort, listener);
    return;
  }
  // If a tab already shows the page, opening the printed URL in it changes the fragment only.
  addEventListener('hashchange', () => {
    if (takeToken()) reconnect();
  });
  takeToken();
  void keepConnected(connectSocket, listener);
}
