// A port that another program listens on until the test ends.

import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export async function takenPort(host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, host);
  onTestFinished(() => {
    server.close();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
