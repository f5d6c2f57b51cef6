// Raw sockets to a server under attack, over TCP or TLS, for input that no HTTP client sends. Socket errors only end
// the socket, because the server may disconnect attackers.

import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

const MOST_KEPT = 1024 * 1024;

/** @param port that of the OAuth endpoints (`oauth`) or of `control` */
export async function openSocket(instance, port = 'oauth') {
  const secure = port === 'oauth' && instance.scheme === 'https';
  const tcp = connect({
    port: port === 'oauth' ? instance.port : instance.control.port,
    host: '127.0.0.1',
    allowHalfOpen: true,
    noDelay: true,
  });
  tcp.on('error', () => undefined);
  await Promise.race([once(tcp, 'connect'), once(tcp, 'close')]);
  const socket = secure
    ? connectTls({ socket: tcp, ca: instance.ca, servername: 'localhost' })
    : tcp;
  socket.on('error', () => undefined);
  if (secure) await Promise.race([once(socket, 'secureConnect'), once(socket, 'close')]);
  const chunks = [];
  let size = 0;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const ended = new Promise((resolve) => socket.once('end', resolve));
  socket.on('data', (chunk) => {
    size += chunk.length;
    if (size <= MOST_KEPT) chunks.push(chunk);
  });
  return {
    /** Resolves when the bytes are sent or the socket fails. */
    send: (bytes) =>
      new Promise((resolve) => {
        if (socket.destroyed) return resolve();
        socket.once('close', resolve);
        socket.write(bytes, () => {
          socket.off('close', resolve);
          resolve();
        });
      }),
    received: () => Buffer.concat(chunks),
    /** The server has closed or ended the connection. */
    over: Promise.race([closed, ended]),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    finish: () => socket.end(),
    reset: () => (secure ? tcp.resetAndDestroy() : socket.resetAndDestroy()),
    destroy: () => socket.destroy(),
  };
}

/** The responses in the received bytes, as far as their lengths separate them. */
export function readAnswers(bytes) {
  const text = bytes.toString('latin1');
  const answers = [];
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\r\n\r\n', at);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text.slice(at, at + 20))?.[1]);
    if (end < 0 || !status) break;
    const head = text.slice(at, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    at = end + 4 + length;
    answers.push({ status, head, body: text.slice(end + 4, at) });
    if (status === 101) break;
  }
  return answers;
}
