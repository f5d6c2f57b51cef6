// Callbacks opened through the control operations: a limited number, each for one sign-in, and each kept for a while
// after it has ended.

import {
  listenForRedirect,
  PATIENCE_MS,
  type LoopbackUri,
  type RedirectListener,
} from './redirect-listener.ts';

export const MAX_OPEN = 4;
export const MAX_WAITS = 16;
const MAX_KEPT = 16;
const MAX_STATES = 64;

export type CallbackState = 'waiting' | 'received' | 'expired';

export interface OpenCallback {
  readonly id: string;
  /** The values for the authorization request. */
  readonly state: string;
  readonly redirect_uri: string;
  readonly status: CallbackState;
  /** The URL of the redirect, with its code or error; null until it is received. */
  readonly redirect_to: string | null;
  /** In ms since the epoch, in machine time. */
  readonly expires_ms: number;
}

interface Kept {
  callback: OpenCallback;
  readonly listener: RedirectListener;
  /** Resolves when the callback stops waiting. */
  readonly ended: Promise<void>;
}

export interface OpenCallbacks {
  /** Whether another callback may be opened. */
  readonly hasRoom: () => boolean;
  /** @throws PortInUseError, or another error if it cannot listen */
  readonly open: (redirect_uri: LoopbackUri) => Promise<OpenCallback>;
  /** Whether another wait is accepted. */
  readonly mayWait: () => boolean;
  /** Waits until the callback has ended, at most for the given time. */
  readonly get: (id: string, wait_ms: number, signal: AbortSignal) => Promise<OpenCallback | null>;
  /** Returns whether the callback existed. */
  readonly close: (id: string) => boolean;
  readonly closeAll: () => void;
}

function waited(ended: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      done();
    };
    const timer = setTimeout(stop, ms).unref();
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    void ended.then(stop);
  });
}

/**
 * @param name returns a random name
 * @param states the states of kept and recent callbacks, which identify their sign-ins
 */
export function createOpenCallbacks(
  name: () => string,
  now: () => number,
  states: Set<string>,
): OpenCallbacks {
  const kept = new Map<string, Kept>();
  let closed = false;
  let opening = 0;
  let waits = 0;
  const isOpen = ({ callback }: Kept) => callback.status === 'waiting';
  const forgetOldest = () => {
    const oldest = [...kept].find(([, one]) => !isOpen(one));
    if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest[0]);
  };
  const addState = (state: string) => {
    const [oldest = ''] = states;
    if (states.size >= MAX_STATES) states.delete(oldest);
    states.add(state);
  };
  const keep = (id: string, state: string, listener: RedirectListener): OpenCallback => {
    forgetOldest();
    addState(state);
    // All callbacks were closed while this one was being opened.
    if (closed) listener.close();
    const { redirect_uri } = listener;
    const expires_ms = now() + PATIENCE_MS;
    const begun = { id, state, redirect_uri, expires_ms, status: 'waiting', redirect_to: null };
    const one: Kept = {
      callback: begun as OpenCallback,
      listener,
      ended: listener.received.then((url) => {
        const status = url === null ? 'expired' : 'received';
        one.callback = { ...one.callback, status, redirect_to: url?.href ?? null };
      }),
    };
    kept.set(id, one);
    return one.callback;
  };
  return {
    hasRoom: () => opening + [...kept.values()].filter(isOpen).length < MAX_OPEN,
    open: async (redirect_uri) => {
      const state = name();
      opening += 1;
      try {
        return keep(name(), state, await listenForRedirect(redirect_uri, state));
      } finally {
        opening -= 1;
      }
    },
    mayWait: () => waits < MAX_WAITS,
    get: async (id, wait_ms, signal) => {
      const one = kept.get(id);
      if (one !== undefined && isOpen(one) && wait_ms > 0) {
        waits += 1;
        await waited(one.ended, wait_ms, signal);
        waits -= 1;
      }
      return kept.has(id) ? (one?.callback ?? null) : null;
    },
    close: (id) => {
      kept.get(id)?.listener.close();
      return kept.delete(id);
    },
    closeAll: () => {
      closed = true;
      for (const { listener } of kept.values()) listener.close();
      kept.clear();
    },
  };
}
