// The page may ask to listen where other machines reach the sandbox; the person is asked natively, where script in
// the page cannot answer.

import { exposureQuestion, isLoopbackHost } from '../control/exposure.ts';
import type { Engine } from '../engine/engine.ts';
import { askPerson } from './ask-person.ts';

interface Call {
  readonly path: readonly string[];
  readonly input: unknown;
  readonly next: () => Promise<unknown>;
}

/** Carries the call out, unless the person does not want what it asks: then nothing is changed. */
export const askBeforeExposing =
  (engine: Engine) =>
  async ({ path, input, next }: Call): Promise<unknown> => {
    if (path.join('.') !== 'server.start') return next();
    const { host } = Object(input) as { host?: unknown };
    const server = engine.server();
    // What is no string is refused by the operation.
    if (typeof host !== 'string' || host === server.host || isLoopbackHost(host)) return next();
    const { title, body, confirm } = exposureQuestion(host, server.https);
    return (await askPerson({ message: title, detail: body, confirm })) ? next() : server;
  };
