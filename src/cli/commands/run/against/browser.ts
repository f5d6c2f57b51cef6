// The browser of the person at the keyboard, as the system opens it.

import { spawn } from 'node:child_process';
import { remark, tame } from '../../../terminal/print.ts';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Prints the URL as well: on a machine without a browser it is opened elsewhere. */
export function showInBrowser({ href }: URL): void {
  remark(`Sign in at the provider: ${tame(href)}`);
  const [file, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(file, [...args, href], { stdio: 'ignore', detached: true });
  // Without an opener the printed URL is what there is.
  child.on('error', () => undefined);
  child.unref();
}
