// Opens a URL in the user's browser, with the command that each system has for that.

import { spawn } from 'node:child_process';
import { win32 } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

interface Opener {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * Returns the command that opens a URL; null without a display or with `BROWSER=none`. Any other value of BROWSER
 * names the program to use.
 */
export function openerOf(url: string, platform: NodeJS.Platform, env: Environment): Opener | null {
  const { BROWSER, DISPLAY, WAYLAND_DISPLAY, SystemRoot = 'C:\\Windows' } = env;
  if (BROWSER === 'none') return null;
  if (BROWSER) return { file: BROWSER, args: [url] };
  if (platform === 'darwin') return { file: '/usr/bin/open', args: [url] };
  if (platform === 'win32') {
    // `start` would need cmd.exe, which interprets some characters of a URL.
    const file = win32.join(SystemRoot, 'System32', 'rundll32.exe');
    return { file, args: ['url.dll,FileProtocolHandler', url] };
  }
  return DISPLAY || WAYLAND_DISPLAY ? { file: 'xdg-open', args: [url] } : null;
}

function start({ file, args }: Opener): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'ignore', detached: true });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      resolve(code === 0 ? null : `${file} ended with ${signal ?? `code ${code}`}`);
    });
    // The browser keeps running after this process has ended.
    child.unref();
  });
}

/** Prints a message if the browser cannot be opened. @param printed names where the URL was printed */
export function openInBrowser(url: string, printed: string): void {
  const opener = openerOf(url, process.platform, process.env);
  if (opener === null) return;
  start(opener)
    .catch((error: unknown) => (error as Error).message)
    .then((problem) => {
      if (problem === null) return;
      process.stderr.write(`Cannot open the browser (${problem}). Open the URL ${printed}.\n`);
    })
    .catch(() => undefined);
}
