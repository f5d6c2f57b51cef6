// The window's process as seen from the terminal: started, watched, ended with the command.

import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { electronFlags, findElectron, missingDisplay } from './electron.ts';

/** A window that is gone sooner than this never was one. */
const EARLY_MS = 5000;

/** What the window's process starts its own lines with; the others are Chromium's noise. */
const OWN_LINE = 'grantbench: ';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Ending {
  readonly reason: string;
  readonly failed: boolean;
}

function start(binary: string, appFolder: string): ChildProcess {
  const env = { ...process.env };
  // Set in terminals inside Electron-based editors; it would make Electron a plain Node.
  delete env['ELECTRON_RUN_AS_NODE'];
  return spawn(binary, [...electronFlags(), appFolder], {
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** Passes our own lines on and keeps the last of the others, which may say why it ended. */
function listen(child: ChildProcess): () => string | null {
  let last: string | null = null;
  if (child.stderr === null) return () => null;
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith(OWN_LINE)) process.stderr.write(`${line}\n`);
    else if (line.trim() !== '') last = line.trim();
  });
  return () => last;
}

function ended(child: ChildProcess, lastLine: () => string | null): Promise<Ending> {
  return new Promise((resolve) => {
    child.once('error', (error) =>
      resolve({ reason: `Electron did not start (${error.message})`, failed: true }),
    );
    // 'close' and not 'exit': the last words on stderr may come after the end.
    child.once('close', (code, signal) => {
      const said = lastLine();
      const how = signal === null ? `code ${code}` : signal;
      const reason = `Electron ended with ${how}${said === null ? '' : ` (${said})`}`;
      resolve({ reason, failed: code !== 0 });
    });
  });
}

interface Signals {
  readonly arrived: () => boolean;
  readonly ignore: () => void;
}

/** The first signal asks the window to close, which drains the engine; a second one kills it. */
function passSignals(child: ChildProcess): Signals {
  let asked = false;
  const pass = () => {
    if (asked) child.kill('SIGKILL');
    else if (child.connected) child.send('quit');
    else child.kill();
    asked = true;
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  return {
    arrived: () => asked,
    ignore: () => SIGNALS.forEach((signal) => process.off(signal, pass)),
  };
}

/** The app says a word once its window is there. */
function hearsOfWindow(child: ChildProcess): () => boolean {
  let heard = false;
  child.once('message', () => (heard = true));
  return () => heard;
}

async function watch(child: ChildProcess): Promise<string | null> {
  const startedAt = performance.now();
  const signals = passSignals(child);
  const opened = hearsOfWindow(child);
  const { reason, failed } = await ended(child, listen(child));
  signals.ignore();
  const early = performance.now() - startedAt < EARLY_MS;
  if (early && !signals.arrived() && (failed || !opened())) return reason;
  if (failed) process.stderr.write(`The window closed unexpectedly: ${reason}.\n`);
  process.exitCode = failed ? 1 : 0;
  return null;
}

/** Resolves to null once the window was closed, or at once to why there can be none. */
export async function openWindow(appFolder: string): Promise<string | null> {
  const electron = findElectron();
  if ('reason' in electron) return electron.reason;
  return missingDisplay() ?? watch(start(electron.binary, appFolder));
}
