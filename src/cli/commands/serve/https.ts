// Chooses the certificate for HTTPS: the given one, or the one kept in the user's data folder. Returns warnings about
// it.

import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import { CertificateError, checkCertificate } from '../../../engine/certificate.ts';
import type { EngineOptions } from '../../../engine/engine.ts';
import { keepCertificate } from '../../../engine/certificate.ts';
import { messageOf } from '../../../engine/errors.ts';
import { replaceFileSync } from '../../../engine/files/atomic-file.ts';
import { readRegularFile } from '../../../engine/files/file-text.ts';
import { dataFolder } from '../../data-folder.ts';
import type { CertificateFiles, ServeOptions } from './options.ts';

export interface Certificate {
  readonly tls: NonNullable<EngineOptions['tls']>;
  /** The file of the certificate, for clients to trust. */
  readonly file: string;
  /** Whether the certificate is self-signed, so that clients must be configured to trust it. */
  readonly self_signed: boolean;
  /** Why clients that use this issuer cannot connect, or null. */
  readonly mismatch: (issuer: string) => string | null;
  /** A sentence if the certificate was generated just now. */
  readonly notice: string | null;
}

async function read(file: string, flag: string): Promise<string> {
  try {
    return (await readRegularFile(file)).toString();
  } catch (cause) {
    throw new CertificateError(`${flag} ${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

function covers(x509: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? x509.checkHost(host) : x509.checkIP(host)) !== undefined;
}

function mismatchOf(x509: X509Certificate, issuer: string): string | null {
  const { protocol, hostname } = new URL(issuer);
  if (protocol !== 'https:') {
    return `Serving HTTPS, but the workspace sets the issuer to ${issuer}. Set --issuer, or set settings.issuer to null.`;
  }
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (covers(x509, host)) return null;
  return `The certificate is not valid for ${host}, so clients will reject it. Set --issuer to a name in the certificate (${x509.subjectAltName ?? 'none'}).`;
}

function describe(x509: X509Certificate): Pick<Certificate, 'self_signed' | 'mismatch'> {
  return {
    self_signed: x509.subject === x509.issuer && x509.verify(x509.publicKey),
    mismatch: (issuer) => mismatchOf(x509, issuer),
  };
}

async function takeGiven({ cert, key }: CertificateFiles): Promise<Certificate> {
  const tls = { cert: await read(cert, '--cert'), key: await read(key, '--key') };
  const x509 = checkCertificate(tls, { cert: `--cert ${cert}`, key: `--key ${key}` });
  return { tls, file: resolve(cert), notice: null, ...describe(x509) };
}

async function takeKept(): Promise<Certificate> {
  const { file, notice, ...tls } = await keepCertificate(dataFolder()).catch((cause: unknown) => {
    const ways =
      'set GRANTBENCH_USER_DATA to another folder, or give another certificate with --cert and --key';
    throw new CertificateError(`${messageOf(cause)}; ${ways}`, { cause });
  });
  return { tls, file, notice, ...describe(checkCertificate(tls)) };
}

/** @throws CertificateError naming the flag and the problem */
export function chooseCertificate(https: NonNullable<ServeOptions['https']>): Promise<Certificate> {
  return https === 'kept' ? takeKept() : takeGiven(https);
}

const READABLE_BY_ALL = 0o644;

/**
 * Copies the kept certificate to a file that servers of other users can read; only its owner can read the folder that
 * it is kept in.
 * @throws CertificateError if the copy cannot be written; an existing file is then unchanged
 */
export function copyCertificate({ tls, file }: Certificate, copy: string): void {
  if (dirname(resolve(copy)) === dirname(resolve(file))) {
    throw new CertificateError(
      `--cert-out ${copy} must be outside ${dirname(file)}, which only its owner can read`,
    );
  }
  try {
    replaceFileSync({ file: copy, text: tls.cert, mode: READABLE_BY_ALL });
  } catch (cause) {
    throw new CertificateError(`--cert-out ${copy} cannot be written: ${messageOf(cause)}`, {
      cause,
    });
  }
}
