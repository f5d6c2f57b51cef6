// Callbacks for browser sign-ins.

import { PortInUseError } from '../../server/bind.ts';
import {
  createOpenCallbacks,
  MAX_OPEN,
  MAX_WAITS,
  type OpenCallback,
} from '../callback/open-callbacks.ts';
import { parseLoopbackUri } from '../callback/redirect-listener.ts';
import { messageOf } from '../errors.ts';
import { withEither } from '../promises.ts';
import type { EngineParts } from '../parts.ts';
import { secondsUntil } from '../views/records.ts';
import { conflict, controlError, invalidField, notFound } from './control-error.ts';
import { os } from './os.ts';

const RULE =
  'must begin with http://localhost, http://127.0.0.1 or http://[::1], without a fragment';
const FULL = `too many callbacks: ${MAX_OPEN} are already waiting for a sign-in`;

/** Errors such as a privileged port are not internal errors. */
function listenProblem(error: unknown): Error {
  const message = messageOf(error);
  const text = error instanceof PortInUseError ? message : `the callback cannot listen: ${message}`;
  return conflict(text, 'redirect_uri');
}

function view({ expires_ms, ...callback }: OpenCallback) {
  return {
    ...callback,
    seconds_left: callback.status === 'waiting' ? secondsUntil(expires_ms) : 0,
  };
}

export function callbackHandlers({ service, closing, ownStates }: EngineParts) {
  const name = () => Buffer.from(service.ports.random(16)).toString('base64url');
  const callbacks = createOpenCallbacks(name, Date.now, ownStates);
  closing.addEventListener('abort', callbacks.closeAll);
  return {
    create: os.callbacks.create.handler(async ({ input }) => {
      const uri = parseLoopbackUri(input.redirect_uri);
      if (uri === null) throw invalidField('redirect_uri', RULE);
      if (!callbacks.hasRoom()) throw controlError('too_many', FULL);
      const opened = await callbacks.open(uri).catch((error: unknown) => {
        throw listenProblem(error);
      });
      return view(opened);
    }),
    get: os.callbacks.get.handler(async ({ input: { id, wait_seconds }, signal }) => {
      if (wait_seconds > 0 && !callbacks.mayWait()) {
        throw controlError('too_many', `too many calls: ${MAX_WAITS} are already waiting`);
      }
      const found = await withEither([signal, closing], (gone) =>
        callbacks.get(id, wait_seconds * 1000, gone),
      );
      if (found === null) throw notFound('callback', id);
      return view(found);
    }),
    remove: os.callbacks.remove.handler(({ input }) => {
      if (!callbacks.close(input.id)) throw notFound('callback', input.id);
    }),
  };
}
