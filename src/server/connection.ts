// One accepted connection: what of it is not answered yet, and how it ends. It outlives Node's own record,
// which forgets a socket once it is handed over (CONNECT, upgrade). Knows nothing of servers.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Of one connection at the same time: pipelined requests are read many at once, and each answer takes room. */
const MAX_AT_WORK = 16;

/** Unheard, the error of a socket ends the process. The socket closes then, and that is acted on. */
const hearErrors = (socket: Socket) => void socket.on('error', () => undefined);

export class Connection {
  readonly #accepted: Socket;
  #socket: Socket;
  readonly #unanswered = new Set<ServerResponse>();
  /** Requests whose turn has not come. */
  readonly #queue: (() => void)[] = [];
  #atWork = 0;
  /** What is to be done once all is answered. */
  readonly #waiting: (() => void)[] = [];
  #newest: ServerResponse | null = null;
  #refused = false;
  #ending = false;

  constructor(accepted: Socket) {
    this.#accepted = accepted;
    this.#socket = accepted;
    hearErrors(accepted);
    accepted.once('close', () => {
      this.#queue.length = 0;
      this.#waiting.length = 0;
    });
  }

  /** What HTTP is spoken over: the socket that was accepted, or TLS above it. */
  get socket(): Socket {
    return this.#socket;
  }

  set socket(secure: Socket) {
    hearErrors(secure);
    this.#socket = secure;
  }

  get isIdle(): boolean {
    return this.#unanswered.size === 0;
  }

  /** Its last answer was given. */
  get isRefused(): boolean {
    return this.#refused;
  }

  /** The newest request, answered or not, as long as its body is still to come. */
  get unfinished(): ServerResponse | null {
    return this.#newest?.req.complete === false ? this.#newest : null;
  }

  isAnswered(response: ServerResponse): boolean {
    return !this.#unanswered.has(response);
  }

  /** A request has begun. */
  begin(response: ServerResponse): void {
    this.#unanswered.add(response);
    this.#newest = response;
    if (this.#ending) response.shouldKeepAlive = false;
    response.once('close', () => {
      this.#unanswered.delete(response);
      if (this.#newest === response && response.req.complete) this.#newest = null;
      if (!this.isIdle) return;
      for (const act of this.#waiting.splice(0)) act();
      if (this.#ending) this.#endIdle();
    });
  }

  /** Works on a request that has begun, as soon as few enough are worked on. */
  inTurn(response: ServerResponse, work: () => void): void {
    if (this.#atWork === MAX_AT_WORK) {
      this.#queue.push(() => {
        this.inTurn(response, work);
      });
      return;
    }
    this.#atWork += 1;
    response.once('close', () => {
      this.#atWork -= 1;
      this.#queue.shift()?.();
    });
    work();
  }

  /** HTTP answers in the order of the requests: what comes behind them waits for them. */
  afterAnswers(act: () => void): void {
    if (this.isIdle) act();
    else this.#waiting.push(act);
  }

  /** Gives the last answer. The connection ends soon after, even if the client never closes its side. */
  refuse(answer: () => string, lingerMs: number): void {
    if (this.#refused) return;
    this.#refused = true;
    if (!this.#socket.writable) {
      this.#socket.destroySoon();
      return;
    }
    this.#socket.end(answer());
    // With bytes unread the system would send a reset, and the client might lose its answer.
    this.#socket.resume();
    const end = setTimeout(() => {
      this.destroy();
    }, lingerMs);
    this.#accepted.once('close', () => {
      clearTimeout(end);
    });
  }

  /** Ends once all that was asked is answered: at once when that is so. */
  end(): void {
    this.#ending = true;
    // Behind this answer nothing more is sent; those before it are.
    const last = [...this.#unanswered].at(-1);
    if (last !== undefined) last.shouldKeepAlive = false;
    if (this.isIdle) this.#endIdle();
  }

  destroy(): void {
    this.#socket.destroy();
    this.#accepted.destroy();
  }

  /** The last answer still has to leave. */
  #endIdle(): void {
    const socket = this.#socket;
    if (socket.writableEnded || socket.writableLength > 0) socket.destroySoon();
    else this.destroy();
  }
}
