// Callbacks for browser sign-ins: a limited number, each for one sign-in, and each kept for a while after it has
// ended.

import type { Callback } from '../../control/schemas.ts';
import { PortInUseError } from '../../server/bind.ts';
import { messageOf } from '../errors.ts';
import type { EngineParts } from '../parts.ts';
import { waitFor } from '../promises.ts';
import {
  listenForRedirect,
  type LoopbackUri,
  parseLoopbackUri,
  PATIENCE_MS,
  type RedirectListener,
} from '../redirect-listener.ts';
import { secondsUntil } from '../format.ts';
import { conflict, controlError, existing, invalidField, notFound } from './control-error.ts';
import { os } from './implementer.ts';

export const MAX_OPEN = 4;
const MAX_WAITS = 16;
const MAX_KEPT = 16;
const MAX_STATES = 64;

const RULE =
  'must begin with http://localhost, http://127.0.0.1 or http://[::1], without a fragment';
const FULL = `too many callbacks: ${MAX_OPEN} are already waiting for a sign-in`;

interface OpenCallback extends Omit<Callback, 'seconds_left'> {
  readonly listener: RedirectListener;
  /** In ms since the epoch, in machine time. */
  readonly expires_ms: number;
  /** Resolves when the callback stops waiting. */
  readonly ended: Promise<void>;
}

/** Errors such as a privileged port are not internal errors. */
function listenProblem(error: unknown): Error {
  const message = messageOf(error);
  const text = error instanceof PortInUseError ? message : `the callback cannot listen: ${message}`;
  return conflict(text, 'redirect_uri');
}

const isOpen = ({ status }: OpenCallback) => status === 'waiting';

function view(callback: OpenCallback): Callback {
  const { id, state, redirect_uri, status, redirect_to, expires_ms } = callback;
  const seconds_left = isOpen(callback) ? secondsUntil(expires_ms) : 0;
  return { id, state, redirect_uri, status, redirect_to, seconds_left };
}

export function callbackHandlers({ service, closing, ownStates }: EngineParts) {
  const kept = new Map<string, OpenCallback>();
  let opening = 0;
  let waits = 0;

  const name = () => Buffer.from(service.ports.random(16)).toString('base64url');
  const close = ({ listener }: OpenCallback) => {
    listener.close();
  };
  closing.addEventListener('abort', () => {
    kept.forEach(close);
    kept.clear();
  });
  const forgetOldest = () => {
    const oldest = [...kept].find(([, one]) => !isOpen(one));
    if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest[0]);
  };
  const addState = (state: string) => {
    const [oldest = ''] = ownStates;
    if (ownStates.size >= MAX_STATES) ownStates.delete(oldest);
    ownStates.add(state);
  };
  const keep = (id: string, state: string, listener: RedirectListener): OpenCallback => {
    forgetOldest();
    addState(state);
    // The engine was closed while this one was being opened.
    if (closing.aborted) listener.close();
    const callback: OpenCallback = {
      id,
      status: 'waiting',
      redirect_uri: listener.redirect_uri,
      state,
      redirect_to: null,
      listener,
      expires_ms: Date.now() + PATIENCE_MS,
      ended: listener.received.then((url) => {
        const status = url === null ? 'expired' : 'received';
        Object.assign(callback, { status, redirect_to: url?.href ?? null });
      }),
    };
    kept.set(id, callback);
    return callback;
  };
  const open = async (uri: LoopbackUri): Promise<OpenCallback> => {
    const state = name();
    opening += 1;
    try {
      return keep(name(), state, await listenForRedirect(uri, state));
    } catch (error) {
      throw listenProblem(error);
    } finally {
      opening -= 1;
    }
  };
  return {
    create: os.callbacks.create.handler(async ({ input }) => {
      const uri = parseLoopbackUri(input.redirect_uri);
      if (uri === null) throw invalidField('redirect_uri', RULE);
      const taken = opening + [...kept.values()].filter(isOpen).length;
      if (taken >= MAX_OPEN) throw controlError('too_many', FULL);
      return view(await open(uri));
    }),
    get: os.callbacks.get.handler(async ({ input: { id, wait_seconds }, signal }) => {
      if (wait_seconds > 0 && waits >= MAX_WAITS) {
        throw controlError('too_many', `too many calls: ${MAX_WAITS} are already waiting`);
      }
      const callback = kept.get(id);
      if (callback !== undefined && isOpen(callback) && wait_seconds > 0) {
        waits += 1;
        await waitFor(wait_seconds * 1000, [signal, closing], (found) => {
          void callback.ended.then(found);
          return () => undefined;
        });
        waits -= 1;
      }
      if (callback === undefined || !kept.has(id)) throw notFound('callback', id);
      return view(callback);
    }),
    remove: os.callbacks.remove.handler(({ input: { id } }) => {
      close(existing(kept.get(id), 'callback', id));
      kept.delete(id);
    }),
  };
}
