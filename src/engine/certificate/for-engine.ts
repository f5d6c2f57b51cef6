// The certificate that an engine serves HTTPS with, once it is needed: the one that it was given, else the one
// that is kept for this machine.

import type { Tls } from '../../server/tls.ts';
import type { EngineOptions } from '../parts.ts';
import { CertificateError } from './check.ts';
import { keepCertificate } from './own.ts';

/** @throws CertificateError when there is none */
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
