// The page may ask to listen where other machines reach the sandbox; the person is asked natively, where script in
// the page cannot answer.

import { BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import { exposureQuestion, isLoopbackHost } from '../control/exposure.ts';
import type { Engine } from '../engine/engine.ts';

async function askPerson(host: string, https: boolean): Promise<boolean> {
  const { title, body, confirm } = exposureQuestion(host, https);
  const question: MessageBoxOptions = {
    type: 'question',
    title: 'Grantbench',
    message: title,
    detail: body,
    buttons: [confirm, 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  };
  const [window] = BrowserWindow.getAllWindows();
  const asked = window ? dialog.showMessageBox(window, question) : dialog.showMessageBox(question);
  return (await asked).response === 0;
}

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
    return (await askPerson(host, server.https)) ? next() : server;
  };
