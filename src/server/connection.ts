// One accepted connection: what of it is not answered yet, and how it ends. It outlives Node's own record,
// which forgets a socket once it is handed over (CONNECT, upgrade). Knows nothing of servers.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Of one connection at the same time: pipelined requests are read many at once, and each answer takes room. */
export const MAX_AT_WORK = 16;

/** Unheard, the error of a socket ends the process. The socket closes then, and that is acted on. */
const hearErrors = (socket: Socket) => void socket.on('error', () => undefined);

export class Connection {
  readonly #accepted: Socket;
  #socket: Socket;
  readonly #unanswered = new Set<ServerResponse>();
  /** Requests whose turn has not come. Nothing more is read meanwhile. */
  readonly #queue: (() => void)[] = [];
  readonly #pause = () => void this.#socket.pause();
  #atWork = 0;
  /** What is to be done once all is answered. Nothing comes behind it. */
  #last: (() => void) | null = null;
  #newest: ServerResponse | null = null;
  #refused = false;
  #ending = false;

  constructor(accepted: Socket) {
    this.#accepted = accepted;
    this.#socket = accepted;
    hearErrors(accepted);
    accepted.once('close', () => {
      this.#queue.length = 0;
      this.#last = null;
      this.#closeUnsent();
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
      this.#last?.();
      this.#last = null;
      if (this.#ending) this.#endIdle();
    });
  }

  /** Works on a request that has begun, as soon as few enough are worked on. */
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
   * HTTP answers in the order of the requests: what comes behind them waits for them. Only the first of
   * these counts: Node tells of broken bytes again with each that follow.
   */
  afterAnswers(act: () => void): void {
    if (this.isIdle) act();
    else this.#last ??= act;
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

  /** Node itself reads on for as long as no answer waits to be sent, and again with each that was. */
  #stopReading(): void {
    this.#pause();
    this.#socket.on('resume', this.#pause);
  }

  #readOn(): void {
    this.#socket.off('resume', this.#pause);
    this.#socket.resume();
  }

  /** Node tells only the response that is being sent that its connection is gone, not those behind it. */
  #closeUnsent(): void {
    for (const response of this.#unanswered) {
      if (response.socket !== null) continue;
      response.destroy();
      response.emit('close');
    }
  }

  /** The last answer still has to leave. */
  #endIdle(): void {
    const socket = this.#socket;
    if (socket.writableEnded || socket.writableLength > 0) socket.destroySoon();
    else this.destroy();
  }
}
