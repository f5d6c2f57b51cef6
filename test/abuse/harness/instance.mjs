// A server under attack: the built command line as a process with a small heap, a saved workspace, a state file, and a
// preload that measures it from inside.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createWaitingTime } from './waiting-time.mjs';

/** GRANTBENCH_TEST_CLI selects another build. */
const CLI =
  process.env.GRANTBENCH_TEST_CLI ?? join(import.meta.dirname, '../../../out/node/cli.cjs');
const PRELOAD = new URL('../preload.mjs', import.meta.url).href;

const HEAP_MB = 1024;
const READY_WITHIN_MS = 60_000;
const ANSWER_WITHIN_MS = 60_000;

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Removes Node options of this machine, which would distort the measurement. */
const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...environment } = process.env;

function start(args, folder) {
  if (!existsSync(CLI)) throw new Error('There is no build: run `npm run build` first.');
  const node = ['--expose-gc', `--max-old-space-size=${HEAP_MB}`, '--import', PRELOAD];
  const child = spawn(process.execPath, [...node, CLI, 'serve', ...args], {
    env: { ...environment, GRANTBENCH_USER_DATA: folder, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Questions to the preload, answered over IPC. */
function createQuestions(child, onDelay) {
  const waiting = new Map();
  let asked = 0;
  child.on('message', ({ event, id, answer, ...delay }) => {
    if (event === 'delay') onDelay(delay);
    else waiting.get(id)?.(answer);
  });
  child.once('exit', () => {
    for (const answer of [...waiting.values()]) answer(null);
  });
  return (ask) =>
    new Promise((resolve) => {
      const id = (asked += 1);
      const late = setTimeout(() => waiting.get(id)?.(null), ANSWER_WITHIN_MS);
      waiting.set(id, (answer) => {
        clearTimeout(late);
        waiting.delete(id);
        resolve(answer);
      });
      if (child.connected) child.send({ id, ask }, () => undefined);
      else waiting.get(id)(null);
    });
}

function readyLine(child, onLine) {
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`the server was not ready: ${why}`));
    const late = setTimeout(() => fail('it took too long'), READY_WITHIN_MS);
    child.once('exit', (code, signal) => fail(`it ended with ${code ?? signal}`));
    let ready = false;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (ready) return onLine(line);
      ready = true;
      clearTimeout(late);
      resolve(JSON.parse(line));
    });
  });
}

/**
 * @param order `scheme`, `folder`, `workspace` to begin with (null: the file that is there), `port` (0: free)
 * @param output `line` takes what it prints beyond its ready line, `delay` a long pause of its event loop
 */
export async function startInstance(
  { scheme, folder, workspace, port = 0, quiet = false },
  output,
) {
  const files = { workspace: join(folder, 'workspace.json'), keep: join(folder, 'kept.json') };
  if (workspace !== null) writeFileSync(files.workspace, JSON.stringify(workspace));
  const child = start(
    [
      '--port',
      String(port),
      '--control-port',
      '0',
      '--json',
      '--workspace',
      files.workspace,
      '--save',
      '--keep',
      files.keep,
      ...(scheme === 'https' ? ['--https'] : []),
      ...(quiet ? ['--quiet'] : []),
    ],
    folder,
  );
  const ask = createQuestions(child, output.delay);
  createInterface({ input: child.stderr }).on('line', output.line);
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const ready = await readyLine(child, output.line);
  return {
    scheme,
    files,
    issuer: ready.issuer,
    port: Number(new URL(ready.token_endpoint).port),
    ca: ready.certificate === undefined ? undefined : readFileSync(ready.certificate),
    control: { port: Number(new URL(ready.control.url).port), token: ready.control.token },
    clients: new Map((workspace?.clients ?? []).map((client) => [client.client_id, client])),
    registrationToken: workspace?.settings.registration.token,
    /** Bytes of the heap and of what it holds outside, after a collection; null without an answer. */
    heap: async () => (await ask('heap'))?.heap ?? null,
    /** The longest delay of the event loop since the last call, in ms. */
    delay: () => ask('delay'),
    /** Resolves in a turn of its event loop; null without an answer. */
    sign: () => ask('sign'),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** Milliseconds that it has waited for a core so far. */
    waitingTime: createWaitingTime(child.pid),
    signal: (name) => child.kill(name),
    ended,
  };
}
