// Shutdown of a server under attack: with all kinds of open connections, it ends on request, and its successor can
// read what it saved.

import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHttp, form, json, readJson } from './http.mjs';
import { startInstance } from './instance.mjs';
import { createRandom } from './random.mjs';
import { openSocket } from './wire.mjs';
import { NORMAL, USER } from './workspace.mjs';
import { oddMessage } from '../kinds/malformed-http.mjs';
import { openViewer } from '../kinds/viewers.mjs';

const GRACE_MS = 10_000;

const HELD = 30;

/** Connections after messages of all kinds that stay open. */
async function holdOpen(instance, seed) {
  const random = createRandom(seed);
  const held = [];
  for (const port of ['oauth', 'control']) {
    for (let count = 0; count < HELD; count++) {
      const socket = await openSocket(instance, port);
      const message = Buffer.from(oddMessage(random));
      await socket.send(message.subarray(0, random.size(message.length)));
      held.push(socket);
    }
  }
  const viewer = await openViewer(instance, () => undefined);
  viewer?.client.events().catch(() => null);
  viewer?.socket.pause();
  if (viewer !== null) held.push({ destroy: () => viewer.socket.terminate() });
  return held;
}

const credentialsOf = ({ clients }) => {
  const { client_id, client_secret } = clients.get(NORMAL);
  return { client_id, client_secret };
};

async function mint(http) {
  const answer = await http.control({ ...json({ client_id: NORMAL }), path: '/api/tokens' });
  return readJson(answer)?.access_token;
}

/** Issues two tokens and revokes one, which the next server must know, and makes a change to save. */
async function leaveTokens(instance) {
  const http = createHttp(instance);
  await http.control({ ...json({ reset: true }, 'PATCH'), path: '/api/clock' });
  await http.control({ ...json({ name: 'The last change' }, 'PATCH'), path: `/api/users/${USER}` });
  const [live, revoked] = [await mint(http), await mint(http)];
  const { status } = await http.oauth({
    ...form({ ...credentialsOf(instance), token: revoked }),
    path: '/oauth/revoke',
  });
  http.close();
  return status === 200 ? { live, revoked } : null;
}

async function isActive(instance, http, token) {
  const order = form({ ...credentialsOf(instance), token });
  return readJson(await http.oauth({ ...order, path: '/oauth/introspect' }))?.active;
}

function checkFiles({ files }, report) {
  for (const file of Object.values(files)) {
    try {
      JSON.parse(readFileSync(file, 'utf8'));
      const open = statSync(file).mode & 0o077;
      if (open !== 0 && process.platform !== 'win32')
        report('a saved file is open to others', [file]);
    } catch (error) {
      report('a saved file is unreadable', [`${file}: ${error.message}`]);
    }
  }
}

async function checkNext({ scheme, port, files, clients }, folder, tokens, report) {
  let next;
  try {
    const order = { scheme, port, folder, workspace: null, quiet: true };
    next = await startInstance(order, { line: () => undefined, delay: () => undefined });
  } catch (error) {
    return report('the next server does not start with what was saved', [
      files.workspace,
      error.message,
    ]);
  }
  const http = createHttp(next);
  try {
    if (tokens === null) return;
    const asked = { ...next, clients };
    const active = await isActive(asked, http, tokens.live);
    const revoked = await isActive(asked, http, tokens.revoked);
    if (active !== true) report('a kept token is not active in the next server', [String(active)]);
    if (revoked !== false) report('a revoked token is active in the next server');
  } finally {
    http.close();
    next.signal('SIGKILL');
    await next.ended;
  }
}

/** @param folder the folder of the server's files */
export async function checkEnding(instance, folder, seed, report) {
  const tokens = await leaveTokens(instance);
  if (tokens === null) report('a token cannot be revoked at the end');
  const held = await holdOpen(instance, seed);
  const begun = performance.now();
  instance.signal('SIGTERM');
  const ending = await Promise.race([instance.ended, sleep(GRACE_MS, null, { ref: false })]);
  const took = performance.now() - begun;
  if (ending === null) {
    report('SIGTERM does not end the process', [
      `${instance.scheme}: still there after ${GRACE_MS} ms`,
    ]);
    instance.signal('SIGKILL');
    await instance.ended;
  } else if (ending.code !== 0) {
    report('SIGTERM ends the process badly', [JSON.stringify(ending)]);
  }
  for (const socket of held) socket.destroy();
  checkFiles(instance, report);
  await checkNext(instance, folder, tokens, report);
  return took;
}
