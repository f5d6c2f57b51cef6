// Clients that reset their connection at any moment: the process keeps answering.

import { describe, expect, test } from 'vitest';
import { openSocket, type SocketOrder } from './support/raw-socket.ts';
import { startSandbox, type Place } from './support/sandbox-process.ts';

interface Attack {
  readonly bytes: string;
  /** Resets after this response, or as soon as the bytes are sent. */
  readonly after?: RegExp;
}

const HOST = 'Host: localhost\r\n';
const CONNECT = `CONNECT x:1 HTTP/1.1\r\n${HOST}\r\n`;
const GET = `GET /livez HTTP/1.1\r\n${HOST}\r\n`;
const UPGRADE = `GET /rpc HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
const ANSWER = /^HTTP\/1\.1 \d{3} /;

const ATTACKS: Record<string, Attack> = {
  'before a byte': { bytes: '' },
  'in the middle of the headers': { bytes: `GET /livez HTTP/1.1\r\n${HOST}X-Half: ` },
  'in the middle of a body': {
    bytes: `POST /oauth/token HTTP/1.1\r\n${HOST}Content-Length: 100\r\n\r\n{"gr`,
  },
  'in the middle of a chunk that never ends': {
    bytes: `POST /oauth/token HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx\r\n`,
  },
  'while it is answered': { bytes: GET },
  'after the answer': { bytes: GET, after: ANSWER },
  'in the middle of many answers': { bytes: GET.repeat(500), after: ANSWER },
  'behind CONNECT': { bytes: CONNECT },
  'after CONNECT was refused': { bytes: CONNECT, after: ANSWER },
  'behind CONNECT and more requests': { bytes: CONNECT + GET + CONNECT },
  'behind a request and CONNECT': { bytes: GET + CONNECT },
  'behind an upgrade': { bytes: UPGRADE },
  'after an upgrade was answered': { bytes: UPGRADE, after: ANSWER },
  'behind garbage': { bytes: '\0\r\n\u00ff garbage\r\n\r\n' },
  'after garbage was refused': { bytes: 'garbage\r\n\r\n', after: ANSWER },
  'behind an unknown expectation': { bytes: GET.replace(HOST, `${HOST}Expect: nope\r\n`) },
};

const ROUNDS = 10;

async function attack(order: SocketOrder, { bytes, after }: Attack): Promise<void> {
  const socket = await openSocket(order);
  await socket.send(bytes);
  if (after !== undefined) await socket.until(after);
  socket.reset();
}

async function expectUnharmed(place: Place): Promise<void> {
  for (const [moment, one] of Object.entries(ATTACKS)) {
    // Sequential, so that one connection cannot hide the failure of another.
    for (let round = 0; round < ROUNDS; round++) await attack(place, one);
    await Promise.all(Array.from({ length: ROUNDS }, () => attack(place, one)));
    await place.expectAnswer().catch((cause: unknown) => {
      throw new Error(`no answer after resets ${moment}`, { cause });
    });
  }
}

describe('a connection reset leaves the process running', () => {
  test('over http, and at the control server', async () => {
    const { cli, oauth, control, terminate } = await startSandbox();
    await expectUnharmed(oauth);
    await expectUnharmed(control);
    expect(cli.child.exitCode).toBeNull();
    expect(await terminate()).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  test('over https, and after plain HTTP on an https port', async () => {
    const { cli, oauth, terminate } = await startSandbox('--https');
    await expectUnharmed(oauth);
    await expectUnharmed({ ...oauth, secure: false });
    // An incomplete handshake, and an invalid one.
    for (const bytes of ['\x16\x03\x01', '\x16\x03\x01\x00\x05hello']) {
      for (let round = 0; round < ROUNDS; round++) {
        await attack({ port: oauth.port }, { bytes });
      }
    }
    await oauth.expectAnswer();
    expect(cli.child.exitCode).toBeNull();
    expect(await terminate()).toMatchObject({ code: 0, signal: null });
  });
});
