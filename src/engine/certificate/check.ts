// Checks the certificate for HTTPS before anything listens, so that one sentence reports its problem. Like TLS, it
// checks the validity period by the machine's clock.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Tls } from '../../server/tls.ts';

/** The certificate or its key cannot be used for HTTPS. Nothing listens. */
export class CertificateError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CertificateError';
  }
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
