// `grantbench serve` as a whole process, and its ports for raw sockets.

import { expect, onTestFinished } from 'vitest';
import { startServe, stopCli, type CliProcess, type Ending } from '../../support/cli-process.ts';
import { openSocket, type SocketOrder } from './raw-socket.ts';

export interface Place extends SocketOrder {
  readonly name: string;
  /** Sends a harmless request on a new connection; rejects unless the response is as usual. */
  readonly expectAnswer: () => Promise<void>;
}

export interface SandboxProcess {
  readonly cli: CliProcess;
  readonly oauth: Place;
  readonly control: Place;
  /** Ends the process with SIGTERM. @returns its exit code and output */
  readonly terminate: () => Promise<Ending>;
}

/** A complete request with Connection: close. */
export const simpleGet = (path: string, port: number): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`;

function place(name: string, path: string, order: SocketOrder): Place {
  const expectAnswer = async () => {
    const socket = await openSocket(order);
    await socket.send(simpleGet(path, order.port));
    expect(await socket.ended).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  };
  return { name, expectAnswer, ...order };
}

const portOf = (url: string) => Number(new URL(url).port);

/** Starts the process; it is ended with the test at the latest. */
export async function startSandbox(...args: string[]): Promise<SandboxProcess> {
  const cli = startServe('--quiet', ...args);
  onTestFinished(() => stopCli(cli));
  const { issuer, control } = await cli.ready();
  const secure = issuer.startsWith('https:');
  return {
    cli,
    oauth: place('OAuth', '/livez', { port: portOf(issuer), secure }),
    control: place('control', '/docs', { port: portOf(control.url) }),
    terminate: () => {
      cli.child.kill('SIGTERM');
      return cli.ended;
    },
  };
}
