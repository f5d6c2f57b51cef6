// The certificate that Grantbench generates and keeps in the user's data folder, so that it must be trusted only
// once. It is valid only for loopback names and cannot issue other certificates.

import type { Tls } from '../../server/tls.ts';
import type { EngineOptions } from '../parts.ts';
import { CertificateError, checkCertificate, dayOf, endOf } from './check.ts';
import type { X509Certificate } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../errors.ts';
import {
  closeToOthers,
  OWNER_ONLY,
  sweepTemporaryFiles,
  temporaryName,
} from '../files/atomic-file.ts';
import { unlessMissing } from '../files/file-text.ts';

/** @throws CertificateError if there is no certificate */
export async function certificateFor({ tls, certificate_folder }: EngineOptions): Promise<Tls> {
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
