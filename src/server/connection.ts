// One accepted connection: its unanswered requests and how it ends. Node forgets a socket once it is handed over
// (CONNECT, upgrade); this record does not. Knows nothing of servers.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Requests of one connection in progress at the same time. Pipelined requests are read many at once, and each
 * response takes memory.
 */
export const MAX_AT_WORK = 16;

/** An unhandled socket error would end the process. The socket closes after it, and the close event is handled. */
const ignoreErrors = (socket: Socket) => void socket.on('error', () => undefined);

export class Connection {
  readonly #accepted: Socket;
  #socket: Socket;
  readonly #unanswered = new Set<ServerResponse>();
  /** Requests that wait for their turn. Reading pauses meanwhile. */
  readonly #queue: (() => void)[] = [];
  readonly #pause = () => void this.#socket.pause();
  #atWork = 0;
  /** What to do once all requests are answered. No request follows. */
  #last: (() => void) | null = null;
  #newest: ServerResponse | null = null;
  #rejected = false;
  #ending = false;

  constructor(accepted: Socket) {
    this.#accepted = accepted;
    this.#socket = accepted;
    ignoreErrors(accepted);
    accepted.once('close', () => {
      this.#queue.length = 0;
      this.#last = null;
      this.#closeUnsent();
    });
  }

  /** The stream that carries HTTP: the accepted socket, or TLS above it. */
  get socket(): Socket {
    return this.#socket;
  }

  set socket(secure: Socket) {
    ignoreErrors(secure);
    this.#socket = secure;
  }

  get isIdle(): boolean {
    return this.#unanswered.size === 0;
  }

  /** Whether the last response was sent. */
  get isRejected(): boolean {
    return this.#rejected;
  }

  /** The newest request while its body is incomplete, whether answered or not. */
  get unfinished(): ServerResponse | null {
    return this.#newest?.req.complete === false ? this.#newest : null;
  }

  isAnswered(response: ServerResponse): boolean {
    return !this.#unanswered.has(response);
  }

  /** Records the beginning of a request. */
  begin(response: ServerResponse): void {
    this.#unanswered.add(response);
    this.#newest = response;
    if (this.#ending) response.shouldKeepAlive = false;
    response.once('close', () => {
      this.#unanswered.delete(response);
      if (this.#newest === response && response.req.complete) this.#newest = null;
      if (!this.isIdle) return;
      this.#last?.();
      this.#last = null;
      if (this.#ending) this.#endIdle();
    });
  }

  /** Handles a request as soon as few enough are in progress. */
  inTurn(response: ServerResponse, work: () => void): void {
    if (this.#atWork === MAX_AT_WORK) {
      this.#queue.push(() => {
        this.inTurn(response, work);
      });
      if (this.#queue.length === 1) this.#stopReading();
      return;
    }
    this.#atWork += 1;
    response.once('close', () => {
      this.#atWork -= 1;
      const next = this.#queue.shift();
      next?.();
      if (next !== undefined && this.#queue.length === 0) this.#readOn();
    });
    work();
  }

  /**
   * HTTP sends responses in the order of the requests, so this waits for the ones before. Only the first call counts,
   * because Node reports malformed bytes again with each chunk that follows.
   */
  afterAnswers(act: () => void): void {
    if (this.isIdle) act();
    else this.#last ??= act;
  }

  /** Sends the last response. The connection ends soon after, even if the client never closes its side. */
  reject(answer: () => string, lingerMs: number): void {
    if (this.#rejected) return;
    this.#rejected = true;
    if (!this.#socket.writable) {
      this.#socket.destroySoon();
      return;
    }
    this.#socket.end(answer());
    // With unread bytes, the system would send a reset, and the client could lose its response.
    this.#socket.resume();
    const end = setTimeout(() => {
      this.destroy();
    }, lingerMs);
    this.#accepted.once('close', () => {
      clearTimeout(end);
    });
  }

  /** Ends the connection once all requests are answered; immediately if they are. */
  end(): void {
    this.#ending = true;
    // Responses before this one are still sent, none after it.
    const last = [...this.#unanswered].at(-1);
    if (last !== undefined) last.shouldKeepAlive = false;
    if (this.isIdle) this.#endIdle();
  }

  destroy(): void {
    this.#socket.destroy();
    this.#accepted.destroy();
  }

  /** Node continues to read while no response is waiting, and again after each one is sent. */
  #stopReading(): void {
    this.#pause();
    this.#socket.on('resume', this.#pause);
  }

  #readOn(): void {
    this.#socket.off('resume', this.#pause);
    this.#socket.resume();
  }

  /** If the connection is lost, Node notifies only the response that is being sent, not those waiting behind it. */
  #closeUnsent(): void {
    for (const response of this.#unanswered) {
      if (response.socket !== null) continue;
      response.destroy();
      response.emit('close');
    }
  }

  /** The last response must still be sent. */
  #endIdle(): void {
    const socket = this.#socket;
    if (socket.writableEnded || socket.writableLength > 0) socket.destroySoon();
    else this.destroy();
  }
}
