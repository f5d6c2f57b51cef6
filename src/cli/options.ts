// What the commands take, and the rules of the values that a flag can hold.

import { InvalidArgumentError } from 'commander';

export const DEFAULT_PORT = 4280;
export const DEFAULT_CONTROL_PORT = 4281;

/** Files in PEM format. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

export interface ServeOptions {
  /** Where the OAuth endpoints listen; both loopback addresses when left out. */
  readonly host?: string;
  readonly port: number;
  readonly controlPort: number;
  /** HTTPS with the certificate kept for this machine's names, or with one's own; HTTP when left out. */
  readonly https?: 'kept' | CertificateFiles;
  /** Made anew at each start when left out. */
  readonly controlToken?: string;
  readonly ui: boolean;
  readonly workspace?: string;
  readonly save: boolean;
  /** A file for what lets access tokens outlive a restart; nothing is kept when left out. */
  readonly keep?: string;
  readonly issuer?: string;
  readonly quiet: boolean;
  readonly json: boolean;
}

export function parsePort(value: string): number {
  const port = Number(value);
  if (/^\d{1,5}$/.test(value) && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535; 0 takes a free one.');
}

export function parseHost(value: string): string {
  const host = value.replace(/^\[(.*)\]$/, '$1');
  if (/^[\w.:%-]+$/.test(host)) return host;
  throw new InvalidArgumentError(
    'A host is a name or an address without scheme and port: 127.0.0.1, 0.0.0.0, ::, localhost.',
  );
}

export function parseFile(value: string): string {
  if (value !== '') return value;
  throw new InvalidArgumentError('The name of a file must not be empty.');
}

/** An issuer identifier (RFC 8414 2). */
export function parseIssuer(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  const plain = /^https?:\/\/[^\s?#@]+[^\s?#@/]$/.test(value);
  if (plain && url !== null && value.length <= 500) return value;
  throw new InvalidArgumentError(
    'An issuer is an http or https URL without query, fragment, user or trailing slash (RFC 8414 2).',
  );
}

/** A switch in an environment variable; null when it is neither on nor off. */
export function isSwitchedOn(value: string): boolean | null {
  if (value === '1' || value === 'true') return true;
  return ['', '0', 'false'].includes(value) ? false : null;
}

/** As good as a token of our own: a guess must not be worth trying, and it must fit into a URL. */
export function isControlToken(value: string): boolean {
  return /^[\w.~-]{22,200}$/.test(value);
}
