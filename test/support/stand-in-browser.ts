// A stand-in for a browser: a program for BROWSER that records its URL. Not on Windows, where a script is not a
// program.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface StandInBrowser {
  readonly env: NodeJS.ProcessEnv;
  /** The URL that the browser was started with. */
  readonly opened: Promise<string>;
  readonly close: () => void;
}

/** @param code its exit code */
export async function createStandInBrowser(code = 0): Promise<StandInBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'grantbench-browser-'));
  let resolveOpened: (url: string) => void = () => undefined;
  const opened = new Promise<string>((resolve) => (resolveOpened = resolve));
  const server = createServer((request, response) => {
    void text(request).then((url) => {
      resolveOpened(url);
      response.end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const file = join(folder, 'browser');
  const report = `fetch('http://127.0.0.1:${port}', { method: 'POST', body: process.argv[2] })`;
  writeFileSync(file, `#!${process.execPath}\n${report}.then(() => process.exit(${code}))\n`);
  chmodSync(file, 0o755);
  return {
    env: { BROWSER: file },
    opened,
    close: () => {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
