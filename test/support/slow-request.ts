// A token request over a raw socket that stays in flight until it is continued.

import { once } from 'node:events';
import { connect } from 'node:net';

export interface SlowRequest {
  /** Sends the body. @returns the complete response, after the server closes the connection */
  finish(): Promise<string>;
}

/** Resolves when the server confirms the headers with 100 Continue. */
export async function startSlowRequest(port: number, body: string): Promise<SlowRequest> {
  const socket = connect(port, '127.0.0.1');
  const head = [
    'POST /oauth/token HTTP/1.1',
    `Host: localhost:${port}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Expect: 100-continue',
    'Connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  if (!first.toString().startsWith('HTTP/1.1 100'))
    throw new Error(`not continued: ${first.toString()}`);
  return {
    async finish() {
      let answer = '';
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.write(body);
      await once(socket, 'close');
      return answer;
    },
  };
}

/** Resolves when this port refuses connections. */
export async function untilRefused(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const accepted = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (!accepted) return;
  }
}
