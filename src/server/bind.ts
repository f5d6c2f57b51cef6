// Binds a port on one host, or the same port on both loopback addresses, so that another program cannot receive
// requests to `localhost` (decisions.md, Structure).

import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net';

/** The port is taken: by another program, or by this one. */
export class PortInUseError extends Error {
  readonly port: number;
  readonly free_port: number | null;

  constructor(port: number, freePort: number | null, options?: ErrorOptions) {
    super(`port ${port} is already in use`, options);
    this.name = 'PortInUseError';
    this.port = port;
    this.free_port = freePort;
  }
}

export interface Bound {
  readonly servers: Server[];
  readonly port: number;
  /** Whether the server also listens on ::1. */
  readonly ipv6: boolean;
}

const ATTEMPTS = 10;
const NO_IPV6 = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL', 'EPROTONOSUPPORT'];
const TAKEN = ['EADDRINUSE', 'EACCES'];

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? '';

async function listen(server: NetServer, host: string, port: number): Promise<number> {
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const close = (probe: NetServer) => new Promise((resolve) => probe.close(resolve));

async function isFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1']) {
    const probe = createServer();
    try {
      await listen(probe, host, port);
      await close(probe);
    } catch (error) {
      if (host === '127.0.0.1' || !NO_IPV6.includes(codeOf(error))) return false;
    }
  }
  return true;
}

/** Returns the next free port above this one that is not reserved. */
async function nextFree(port: number, reserved: readonly number[]): Promise<number | null> {
  for (let candidate = port + 1; candidate <= Math.min(port + 50, 65_535); candidate++) {
    if (!reserved.includes(candidate) && (await isFree(candidate))) return candidate;
  }
  return null;
}

async function inUse(error: unknown, port: number, reserved: readonly number[]): Promise<Error> {
  if (!TAKEN.includes(codeOf(error))) return error as Error;
  return new PortInUseError(port, await nextFree(port, reserved), { cause: error });
}

/** Binds one host. @throws PortInUseError */
export async function bind(
  server: Server,
  host: string,
  port: number,
  reserved: readonly number[],
): Promise<Bound> {
  try {
    const bound = await listen(server, host, port);
    return { servers: [server], port: bound, ipv6: host.includes(':') };
  } catch (error) {
    throw await inUse(error, port, reserved);
  }
}

/**
 * Binds both loopback addresses; a machine without IPv6 has only one.
 * @param end closes a server that is already listening
 * @throws PortInUseError
 */
export async function bindLoopback(
  make: () => Server,
  end: (server: Server) => Promise<void>,
  port: number,
  reserved: readonly number[],
): Promise<Bound> {
  for (let attempt = 1; ; attempt++) {
    const four = make();
    const bound = await bind(four, '127.0.0.1', port, reserved);
    const six = make();
    try {
      await listen(six, '::1', bound.port);
      return { servers: [four, six], port: bound.port, ipv6: true };
    } catch (error) {
      if (NO_IPV6.includes(codeOf(error))) return bound;
      await end(four);
      if (port !== 0 || attempt === ATTEMPTS) throw await inUse(error, bound.port, reserved);
    }
  }
}
