// The process of a measured server: spawns it, times it up to its ready line, and always ends it.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { profilingOptions } from './profiling.mjs';

const READY_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 5_000;
const KEPT_STDERR = 4_000;

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

/** Resolves when the process has ended. */
export function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const last = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    child.once('exit', () => {
      clearTimeout(last);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

function readyLine(child, withinMs) {
  let stderr = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text) => (stderr = (stderr + text).slice(-KEPT_STDERR)));
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`${child.spawnargs.join(' ')}: ${why}\n${stderr}`));
    const late = setTimeout(() => fail('not ready in time'), withinMs);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code, signal) => {
      clearTimeout(late);
      fail(`ended with ${code ?? signal} before it was ready`);
    });
    createInterface({ input: child.stdout }).once('line', (line) => {
      clearTimeout(late);
      resolve(JSON.parse(line));
    });
  });
}

/** Removes Node options of this machine, such as extra certificates, which would distort the measurement. */
const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env;

/** `args`: the script and its arguments; `name`: the name of the profile, if any. */
export async function launch(args, name, withinMs = READY_WITHIN_MS) {
  const spawnedAt = performance.now();
  const child = spawn(process.execPath, [...profilingOptions(name), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  try {
    const ready = await readyLine(child, withinMs);
    return {
      ready,
      spawnedAt,
      readyAt: performance.now(),
      pid: child.pid,
      stop: () => stop(child),
    };
  } catch (error) {
    await stop(child);
    throw error;
  }
}
