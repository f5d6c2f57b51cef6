// Signing keys as they are brought along and kept.

import { z } from 'zod';
import { SIGNING_ALGS } from './enumerations.ts';
import { oneOf, visible } from './members.ts';

const KTY_OF_ALG = { RS256: 'RSA', PS256: 'RSA', ES256: 'EC', EdDSA: 'OKP', HS256: 'oct' } as const;

/** A private signing key as a JWK (RFC 7517) with its `alg`; `kid` defaults to its thumbprint. */
export const signingKeySchema = z
  .looseObject({
    kty: z.enum(['RSA', 'EC', 'OKP', 'oct'], 'must be RSA, EC, OKP or oct'),
    alg: oneOf(SIGNING_ALGS),
    kid: visible(200).optional(),
  })
  .superRefine((key, ctx) => {
    const { alg } = key;
    const kty = KTY_OF_ALG[alg];
    const secret = kty === 'oct' ? 'k' : 'd';
    if (key.kty !== kty) {
      ctx.addIssue({ code: 'custom', path: ['alg'], message: `${alg} needs a key of kty ${kty}` });
    } else if (typeof key[secret] !== 'string') {
      const message = 'is required: a signing key is private';
      ctx.addIssue({ code: 'custom', path: [secret], message });
    }
  });
