// The window's process as seen from the terminal: started, watched, ended with the command.

import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { electronFlags, findElectron, missingDisplay } from './electron.ts';

/** A window that is gone sooner than this never was one. */
const EARLY_MS = 5000;

/** What the window's process starts its own lines with; the others are Chromium's noise. */
const OWN_LINE = 'grantbench: ';

/** On Windows, Ctrl+Break is SIGBREAK, which is all that a program can send another one there. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/** What Chromium says when X or Wayland is gone, among much else. */
const DISPLAY_LOST = /X connection error|Wayland communication error/;

interface Ending {
  readonly reason: string;
  readonly failed: boolean;
}

function start(binary: string, args: readonly string[]): ChildProcess {
  const flags = electronFlags(process.platform, process.env, process.getuid?.());
  return spawn(binary, [...flags, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

interface Noise {
  readonly last: string | null;
  readonly displayLost: boolean;
}

/** Passes our own lines on and keeps what the others may say of why it ended. */
function listen(child: ChildProcess): () => Noise {
  let noise: Noise = { last: null, displayLost: false };
  if (child.stderr === null) return () => noise;
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith(OWN_LINE)) process.stderr.write(`${line}\n`);
    else if (line.trim() !== '')
      noise = {
        last: line.trim(),
        displayLost: noise.displayLost || DISPLAY_LOST.test(line),
      };
  });
  return () => noise;
}

function ended(child: ChildProcess, heard: () => Noise): Promise<Ending> {
  return new Promise((resolve) => {
    child.once('error', (error) =>
      resolve({ reason: `Electron did not start (${error.message})`, failed: true }),
    );
    // 'close' and not 'exit': the last words on stderr may come after the end.
    child.once('close', (code, signal) => {
      const { last, displayLost } = heard();
      const how = signal === null ? `code ${code}` : signal;
      const reason = displayLost
        ? 'the display that it was on is gone'
        : `Electron ended with ${how}${last === null ? '' : ` (${last})`}`;
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

/**
 * Resolves to null once the window was closed, or at once to why there can be none.
 * @param file workspace to open in it
 */
export async function openWindow(appFolder: string, file: string | null): Promise<string | null> {
  const electron = findElectron(appFolder);
  if ('reason' in electron) return electron.reason;
  return (
    missingDisplay(process.platform, process.env) ??
    watch(start(electron.binary, [...electron.args, ...(file === null ? [] : [file])]))
  );
}
