// Who may speak to the control server at all, by the names in the Host and Origin headers.

import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Foreign names mean DNS rebinding or a page from elsewhere.
 * @param port the bound one
 * @param extra further hosts, with or without port, for those who reach us by another name
 */
export function createHostCheck(port: number, extra: readonly string[]) {
  const known = new Set(LOOPBACK.map((name) => `${name}:${port}`));
  if (port === 80) for (const name of LOOPBACK) known.add(name);
  const others = extra.map((host) => host.toLowerCase());

  const isKnown = (host: string) => {
    const name = host.toLowerCase();
    return (
      known.has(name) || others.some((own) => name === own || name.replace(/:\d+$/, '') === own)
    );
  };
  const isKnownOrigin = (origin: string) => {
    const [, host] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
    return host !== undefined && isKnown(host);
  };
  /** What is wrong with the headers, or null. */
  return ({ host, origin }: IncomingHttpHeaders): string | null => {
    if (host === undefined || !isKnown(host)) {
      return 'this Host is not allowed; see --allow-host';
    }
    if (origin !== undefined && !isKnownOrigin(origin)) {
      return 'pages from this Origin may not use the control server';
    }
    return null;
  };
}
