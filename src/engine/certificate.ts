// The certificate for HTTPS: a given one is checked before anything listens, so that one sentence reports its problem.
// Else Grantbench generates one, valid only for loopback names and unable to issue other certificates, and keeps it in
// the user's data folder, so that it must be trusted only once. Like TLS, it checks validity by the machine's clock.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Tls } from '../server/tls.ts';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from './errors.ts';
import {
  closeToOthers,
  OWNER_ONLY,
  sweepTemporaryFiles,
  temporaryName,
} from './files/atomic-file.ts';
import { unlessMissing } from './files/file-text.ts';

/** The certificate or its key cannot be used for HTTPS. Nothing listens. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

/** The names of the certificate and its key in error messages. */
export interface CertificateNames {
  readonly cert: string;
  readonly key: string;
}

const SERVER_USAGES = ['1.3.6.1.5.5.7.3.1', '2.5.29.37.0'];

/** Returns when a certificate expires, in ms since the epoch. */
export const endOf = (certificate: X509Certificate): number => Date.parse(certificate.validTo);

/** Formats a time in UTC. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const momentOf = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'reason' in error ? String(error.reason) : error.message;
}

function readCertificate(text: string, name: string): X509Certificate {
  if (!text.includes('-----BEGIN CERTIFICATE-----')) {
    throw new CertificateError(
      `${name} must contain a certificate in PEM format (-----BEGIN CERTIFICATE-----)`,
    );
  }
  try {
    return new X509Certificate(text);
  } catch (cause) {
    throw new CertificateError(
      `${name} does not contain a readable certificate: ${reasonOf(cause)}`,
      {
        cause,
      },
    );
  }
}

function readKey(text: string, name: string) {
  try {
    return createPrivateKey(text);
  } catch (cause) {
    const rule = 'must contain a private key in PEM format';
    // "BEGIN ENCRYPTED PRIVATE KEY", or "Proc-Type: 4,ENCRYPTED" in the older form.
    const encrypted = text.includes('ENCRYPTED');
    const why = encrypted ? 'without a passphrase, but it has one' : '(-----BEGIN PRIVATE KEY)';
    throw new CertificateError(`${name} ${rule} ${why}`, { cause });
  }
}

function checkTimes(certificate: X509Certificate, name: string): void {
  const [begin, end] = [Date.parse(certificate.validFrom), endOf(certificate)];
  const now = Date.now();
  if (now > end) {
    throw new CertificateError(`${name} must be valid now, but it expired at ${momentOf(end)}`);
  }
  if (now < begin) {
    throw new CertificateError(
      `${name} must be valid now, but it is not valid before ${momentOf(begin)}`,
    );
  }
}

function checkUse({ cert, key }: Tls, certificate: X509Certificate, name: string): void {
  const usages = certificate.keyUsage as string[] | undefined;
  if (usages !== undefined && !usages.some((usage) => SERVER_USAGES.includes(usage))) {
    throw new CertificateError(`${name} must be for TLS servers (extended key usage serverAuth)`);
  }
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new CertificateError(`${name} cannot be used for TLS: ${reasonOf(cause)}`, { cause });
  }
}

/**
 * Checks that a TLS server can use these PEM texts now.
 * @throws CertificateError naming the invalid one and the rule
 */
export function checkCertificate(
  tls: Tls,
  names: CertificateNames = { cert: 'tls.cert', key: 'tls.key' },
): X509Certificate {
  const certificate = readCertificate(tls.cert, names.cert);
  const key = readKey(tls.key, names.key);
  if (!certificate.checkPrivateKey(key)) {
    throw new CertificateError(
      `${names.key} must be the private key of the first certificate in ${names.cert}, but it is not`,
    );
  }
  checkTimes(certificate, names.cert);
  checkUse(tls, certificate, names.cert);
  return certificate;
}

/** @throws CertificateError if there is no certificate */
export async function certificateFor({
  tls,
  certificate_folder,
}: {
  readonly tls?: Tls | undefined;
  readonly certificate_folder?: string | undefined;
}): Promise<Tls> {
  if (tls !== undefined) return tls;
  if (certificate_folder === undefined) {
    throw new CertificateError(
      'HTTPS needs a certificate, and this sandbox was started without one',
    );
  }
  const { cert, key, file } = await keepCertificate(certificate_folder);
  return { cert, key, file };
}

interface KeptCertificate extends Tls {
  /** The file with the certificate only, for clients to trust. */
  readonly file: string;
  /** A sentence if the certificate was generated just now; null if it existed. */
  readonly notice: string | null;
}

const DAY_MS = 86_400_000;
/** Apple's systems reject server certificates that are valid for more than 825 days. */
const GOOD_FOR_DAYS = 800;
const RENEWED_BEFORE_DAYS = 30;

const certificateFile = (folder: string) => join(folder, 'certificate.pem');
const keyFile = (folder: string) => join(folder, 'key.pem');

/** Generates a certificate with its key for loopback names. */
export async function makeCertificate(): Promise<Tls> {
  const { generate } = await import('selfsigned');
  const now = Date.now();
  const made = await generate(
    [
      { name: 'commonName', value: 'localhost' },
      { name: 'organizationName', value: 'Grantbench' },
    ],
    {
      keyType: 'ec',
      algorithm: 'sha256',
      // The clocks of containers and virtual machines may be slightly behind.
      notBeforeDate: new Date(now - DAY_MS),
      notAfterDate: new Date(now + GOOD_FOR_DAYS * DAY_MS),
      extensions: [
        { name: 'basicConstraints', cA: false, critical: true },
        { name: 'keyUsage', digitalSignature: true, critical: true },
        { name: 'extKeyUsage', serverAuth: true },
        {
          name: 'subjectAltName',
          altNames: [
            { type: 2, value: 'localhost' },
            { type: 7, ip: '127.0.0.1' },
            { type: 7, ip: '::1' },
          ],
        },
      ],
    },
  );
  return { cert: `${made.cert.trimEnd()}\n`, key: made.private };
}

const readText = async (file: string): Promise<string> =>
  (await unlessMissing(readFile(file, 'utf8'))) ?? '';

function coversThisMachine(certificate: X509Certificate): boolean {
  const addresses = ['127.0.0.1', '::1'].every((ip) => certificate.checkIP(ip) !== undefined);
  return addresses && certificate.checkHost('localhost') !== undefined;
}

/** Returns why the certificate can no longer be used, or null. */
function problemOf(kept: Tls, folder: string): string | null {
  try {
    const names = { cert: certificateFile(folder), key: keyFile(folder) };
    const certificate = checkCertificate(kept, names);
    const end = endOf(certificate);
    if (end - Date.now() < RENEWED_BEFORE_DAYS * DAY_MS)
      return `it is valid only until ${dayOf(end)}`;
    return coversThisMachine(certificate)
      ? null
      : 'it was not valid for localhost, 127.0.0.1 and ::1';
  } catch (error) {
    if (error instanceof CertificateError) return error.message;
    throw error;
  }
}

interface Found {
  /** null if no certificate was kept yet. */
  readonly kept: Tls | null;
  /** Why the kept certificate cannot be used. */
  readonly problem: string | null;
}

async function find(folder: string): Promise<Found> {
  const [cert, key] = [await readText(certificateFile(folder)), await readText(keyFile(folder))];
  if (cert === '' && key === '') return { kept: null, problem: null };
  return { kept: { cert, key }, problem: problemOf({ cert, key }, folder) };
}

async function setAside(folder: string): Promise<void> {
  const aside = temporaryName(folder);
  await rename(folder, aside);
  await rm(aside, { recursive: true });
}

/** Renames a folder, so that both files appear at the same time. @returns false if another process was faster */
async function publish({ cert, key }: Tls, folder: string): Promise<boolean> {
  const making = temporaryName(folder);
  await mkdir(making);
  await writeFile(keyFile(making), key, { mode: OWNER_ONLY, flush: true });
  await writeFile(certificateFile(making), cert, { flush: true });
  if ((await find(folder)).problem !== null) await setAside(folder);
  try {
    await rename(making, folder);
    return true;
  } catch (error) {
    await rm(making, { recursive: true });
    const { kept, problem } = await find(folder);
    if (kept !== null && problem === null) return false;
    throw error;
  }
}

async function keep(folder: string): Promise<KeptCertificate> {
  const file = certificateFile(folder);
  const { kept, problem } = await find(folder);
  if (kept !== null && problem === null) {
    await closeToOthers(keyFile(folder));
    return { ...kept, file, notice: null };
  }
  const made = await makeCertificate();
  if (!(await publish(made, folder))) return keep(folder);
  const notice =
    problem === null
      ? `Created a certificate for localhost, 127.0.0.1 and ::1: ${file}`
      : `Replaced the certificate ${file}; clients must trust the new one. Reason: ${problem}.`;
  return { ...made, file, notice };
}

/**
 * Returns the certificate kept in this folder, or generates one if there is no usable one.
 * @throws CertificateError if the folder cannot be used
 */
export async function keepCertificate(dataFolder: string): Promise<KeptCertificate> {
  const folder = join(dataFolder, 'https');
  try {
    await mkdir(dataFolder, { recursive: true, mode: 0o700 });
    await sweepTemporaryFiles(folder);
    return await keep(folder);
  } catch (cause) {
    const message = `The certificate cannot be saved in ${folder}: ${messageOf(cause)}`;
    throw new CertificateError(message, { cause });
  }
}
