// Generates certificates, and starts an engine that serves HTTPS with one.

import type { IncomingHttpHeaders, RequestOptions } from 'node:http';
import { request } from 'node:https';
import { generate } from 'selfsigned';
import type { Tls } from '../../src/server/tls.ts';
import { startHarness, type Harness, type HarnessOptions } from './harness.ts';

const DAY_MS = 86_400_000;

export interface CertificateOrder {
  readonly name?: string;
  readonly addresses?: readonly string[];
  /** Days from now. */
  readonly from?: number;
  readonly until?: number;
  readonly usage?: 'server' | 'client';
  readonly authority?: Tls;
  /** Size of an RSA key in bits; default: an EC key. */
  readonly bits?: number;
  readonly passphrase?: string;
}

/** By default for localhost and both loopback addresses, valid for a year. */
export async function makeCertificate(order: CertificateOrder = {}): Promise<Tls> {
  const { name = 'localhost', addresses = ['127.0.0.1', '::1'], from = -1, until = 365 } = order;
  const now = Date.now();
  const made = await generate([{ name: 'commonName', value: name }], {
    algorithm: 'sha256',
    notBeforeDate: new Date(now + from * DAY_MS),
    notAfterDate: new Date(now + until * DAY_MS),
    extensions: [
      { name: 'extKeyUsage', [order.usage === 'client' ? 'clientAuth' : 'serverAuth']: true },
      {
        name: 'subjectAltName',
        altNames: [{ type: 2, value: name }, ...addresses.map((ip) => ({ type: 7 as const, ip }))],
      },
    ],
    ...(order.bits === undefined ? { keyType: 'ec' } : { keyType: 'rsa', keySize: order.bits }),
    ...(order.authority === undefined ? {} : { ca: order.authority }),
    ...(order.passphrase === undefined ? {} : { passphrase: order.passphrase }),
  });
  return { cert: made.cert, key: made.private };
}

export async function makeAuthority(): Promise<Tls> {
  const made = await generate([{ name: 'commonName', value: 'Test authority' }], {
    algorithm: 'sha256',
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  return { cert: made.cert, key: made.private };
}

export interface SecureAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One request that trusts only this certificate. */
export function callSecurely(
  url: string,
  ca: string,
  { body, ...options }: RequestOptions & { readonly body?: string } = {},
): Promise<SecureAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ca, agent: false, ...options }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export interface SecureHarness extends Harness {
  readonly tls: Tls;
  readonly port: () => number;
}

export async function startSecureHarness(
  tls?: Tls,
  options: HarnessOptions = {},
): Promise<SecureHarness> {
  const used = tls ?? (await makeCertificate());
  const harness = await startHarness({ ...options, engine: { ...options.engine, tls: used } });
  return { ...harness, tls: used, port: () => harness.engine.server().port };
}
