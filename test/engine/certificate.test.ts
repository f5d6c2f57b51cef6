// Certificates for HTTPS, and the certificate that Grantbench generates and keeps.

import { X509Certificate } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CertificateError, checkCertificate } from '../../src/engine/certificate.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { keepCertificate } from '../../src/engine/certificate.ts';
import type { Tls } from '../../src/server/tls.ts';
import { temporaryFolder } from '../support/harness.ts';
import { type CertificateOrder, makeAuthority, makeCertificate } from '../support/https.ts';

const DAY_MS = 86_400_000;

describe('bad input: a certificate is rejected before the server listens', () => {
  const refusals: [string, (good: Tls) => Tls | Promise<Tls>, RegExp][] = [
    [
      'text that is not PEM',
      (good) => ({ ...good, cert: 'nonsense' }),
      /^tls\.cert must contain a certificate in PEM format/,
    ],
    [
      'a key in place of the certificate',
      (good) => ({ ...good, cert: good.key }),
      /^tls\.cert must contain a certificate in PEM format/,
    ],
    [
      'a damaged certificate',
      (good) => ({ ...good, cert: good.cert.replace(/\n.{20}/, '\n') }),
      /^tls\.cert does not contain a readable certificate: \S/,
    ],
    [
      'a certificate in place of the key',
      (good) => ({ ...good, key: good.cert }),
      /^tls\.key must contain a private key in PEM format/,
    ],
    [
      'a key with a passphrase',
      () => makeCertificate({ passphrase: 'hunter2' }),
      /^tls\.key must contain a private key in PEM format without a passphrase/,
    ],
    [
      'a certificate that does not fit its key',
      async (good) => ({ ...good, key: (await makeCertificate()).key }),
      /^tls\.key must be the private key of the first certificate in tls\.cert/,
    ],
    [
      'an expired certificate',
      () => makeCertificate({ from: -3, until: -1 }),
      /^tls\.cert must be valid now, but it expired at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    ],
    [
      'a certificate that is not yet valid',
      () => makeCertificate({ from: 1 }),
      /^tls\.cert must be valid now, but it is not valid before \S+Z$/,
    ],
    [
      'a certificate for clients',
      () => makeCertificate({ usage: 'client' }),
      /^tls\.cert must be for TLS servers/,
    ],
    [
      'a key that TLS finds too small',
      () => makeCertificate({ bits: 512 }),
      /^tls\.cert cannot be used for TLS: .*too small/,
    ],
  ];

  it.each(refusals)('%s, in one sentence that names the rule', async (_kind, spoil, words) => {
    const tls = await spoil(await makeCertificate());
    const engine = createEngine({ port: 0, version: 'test', tls });
    const error: unknown = await engine.catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(CertificateError);
    expect((error as Error).message).toMatch(words);
    expect((error as Error).message).not.toMatch(/hunter2|PRIVATE KEY-----\w/);
  });

  it.each<[string, CertificateOrder]>([
    ['an elliptic curve', {}],
    ['RSA', { bits: 2048 }],
    ['another name', { name: 'sandbox.test', addresses: [] }],
  ])('a valid certificate with %s is accepted', async (_kind, order) => {
    expect(() => checkCertificate({ cert: '', key: '' })).toThrow(CertificateError);
    const tls = await makeCertificate(order);
    expect(checkCertificate(tls).publicKey).toBeDefined();
  });

  it('a chain is accepted if its first certificate matches the key', async () => {
    const authority = await makeAuthority();
    const { cert, key } = await makeCertificate({ authority });
    expect(checkCertificate({ cert: `${cert}\n${authority.cert}`, key }).subject).toBe(
      'CN=localhost',
    );
    expect(() => checkCertificate({ cert: `${authority.cert}\n${cert}`, key })).toThrow(
      /must be the private key of the first certificate/,
    );
  });
});

interface Pair {
  readonly folder: string;
  readonly certificate: string;
  readonly key: string;
}

const inside = (data: string): Pair => {
  const folder = join(data, 'https');
  return { folder, certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') };
};

/** A data folder that already contains these files. */
async function dataWith({ cert, key }: Partial<Tls>): Promise<string> {
  const data = await temporaryFolder();
  const files = inside(data);
  await mkdir(files.folder);
  if (cert !== undefined) await writeFile(files.certificate, cert);
  if (key !== undefined) await writeFile(files.key, key, { mode: 0o600 });
  return data;
}

const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

describe('the generated certificate', () => {
  it('is for localhost and both loopback addresses, cannot sign others, and is valid for years', async () => {
    const { cert } = await keepCertificate(await temporaryFolder());
    const certificate = new X509Certificate(cert);
    expect(certificate.subjectAltName).toBe(
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    );
    expect(certificate.ca).toBe(false);
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    const days = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / DAY_MS;
    expect(days).toBeGreaterThan(700);
    expect(days).toBeLessThan(825);
  });

  it('is in a folder of its own, apart from its key, and is announced in one line', async () => {
    const data = join(await temporaryFolder(), 'new', 'folder');
    const { cert, key, file, notice } = await keepCertificate(data);
    const files = inside(data);
    expect(file).toBe(files.certificate);
    expect(await readFile(files.certificate, 'utf8')).toBe(cert);
    expect(cert).not.toContain('PRIVATE');
    expect(await readFile(files.key, 'utf8')).toBe(key);
    expect(notice).toMatch(/^Created a certificate for localhost, 127\.0\.0\.1 and ::1: [^\n]+$/);
    expect(notice).toContain(file);
    expect(await readdir(data)).toEqual(['https']);
    expect((await readdir(files.folder)).sort()).toEqual(['certificate.pem', 'key.pem']);
  });

  it('is used again without an announcement', async () => {
    const data = await temporaryFolder();
    const first = await keepCertificate(data);
    expect(await keepCertificate(data)).toEqual({ ...first, notice: null });
  });

  it.skipIf(process.platform === 'win32')(
    'has a key that only its owner can read, even after its permissions were opened',
    async () => {
      const data = await temporaryFolder();
      const { key } = await keepCertificate(data);
      const file = inside(data).key;
      expect(await modeOf(file)).toBe(0o600);
      await chmod(file, 0o644);
      expect((await keepCertificate(data)).key).toBe(key);
      expect(await modeOf(file)).toBe(0o600);
    },
  );

  it('is still used 31 days before it expires', async () => {
    const kept = await makeCertificate({ until: 31 });
    expect(await keepCertificate(await dataWith(kept))).toMatchObject({ ...kept, notice: null });
  });

  const another: [string, () => Promise<Partial<Tls>>, RegExp][] = [
    [
      'nears its end',
      () => makeCertificate({ until: 29 }),
      /it is valid only until \d{4}-\d\d-\d\d\.$/,
    ],
    ['has expired', () => makeCertificate({ from: -9, until: -1 }), /expired at/],
    ['is not for ::1', () => makeCertificate({ addresses: ['127.0.0.1'] }), /it was not valid for/],
    [
      'is for another name',
      () => makeCertificate({ name: 'sandbox.test' }),
      /it was not valid for localhost/,
    ],
    [
      'does not fit its key',
      async () => ({ ...(await makeCertificate()), key: (await makeCertificate()).key }),
      /must be the private key/,
    ],
    [
      'has lost its key',
      async () => ({ cert: (await makeCertificate()).cert }),
      /must contain a private key/,
    ],
    [
      'is damaged',
      async () => ({ ...(await makeCertificate()), cert: 'nonsense' }),
      /must contain a certificate/,
    ],
  ];

  it.each(another)(
    'is generated again, with a reason in one line, when it %s',
    async (_why, there, words) => {
      const former = await there();
      const data = await dataWith(former);
      const made = await keepCertificate(data);
      expect(made.cert).not.toBe(former.cert);
      expect(made.notice).toMatch(
        /^Replaced the certificate [^\n]+; clients must trust the new one\. Reason: [^\n]+$/,
      );
      expect(made.notice).toMatch(words);
      expect(await keepCertificate(data)).toEqual({ ...made, notice: null });
      expect(await readdir(data)).toEqual(['https']);
    },
  );

  it('is generated after leftovers of a killed process are removed', async () => {
    const data = await temporaryFolder();
    const left = `${inside(data).folder}.tmp-999999999-ab`;
    await mkdir(left);
    await writeFile(join(left, 'key.pem'), 'half a key');
    await keepCertificate(data);
    expect(await readdir(data)).toEqual(['https']);
  });

  it('reports an unusable folder in one sentence that names it', async () => {
    const data = await temporaryFolder();
    const { folder } = inside(data);
    await writeFile(folder, 'a file');
    await expect(keepCertificate(data)).rejects.toThrow(CertificateError);
    await expect(keepCertificate(data)).rejects.toThrow(
      `The certificate cannot be saved in ${folder}:`,
    );
    await rm(folder);
    expect((await keepCertificate(data)).notice).not.toBeNull();
  });

  it('rejects a folder with other content, and does not change it', async () => {
    const data = await temporaryFolder();
    const { folder } = inside(data);
    await mkdir(folder);
    await writeFile(join(folder, 'notes.txt'), 'mine');
    await expect(keepCertificate(data)).rejects.toThrow(/The certificate cannot be saved in/);
    expect(await readdir(folder)).toEqual(['notes.txt']);
    expect(await readdir(data)).toEqual(['https']);
  });
});
