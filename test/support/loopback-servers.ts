// Loopback servers of a test, in place of third-party providers.

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackServers {
  /** @returns the URL without a trailing slash */
  readonly serve: (answer: RequestListener) => Promise<string>;
  readonly closeAll: () => void;
}

export function createLoopbackServers(): LoopbackServers {
  const servers: Server[] = [];
  return {
    serve: async (answer) => {
      const server = createServer(answer);
      servers.push(server);
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    closeAll: () => {
      for (const server of servers.splice(0)) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** Responds to every request with this document. */
export const json =
  (value: unknown, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  };
