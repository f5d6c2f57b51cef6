// Signing keys as they are brought along and kept.

import { jsonBytes } from '../collections/weight.ts';
import { described } from './described.ts';
import { z } from './zod.ts';
import { MAX_KEY_BYTES } from './bounds.ts';
import { SIGNING_ALGS } from './enumerations.ts';
import { oneOf, visible } from './members.ts';

/** 256 bits in base64url (RFC 7518 3.2). */
const HS256_CHARACTERS = 43;

const KTY_OF_ALG = { RS256: 'RSA', PS256: 'RSA', ES256: 'EC', EdDSA: 'OKP', HS256: 'oct' } as const;

/** A private signing key as a JWK (RFC 7517) with its `alg`; `kid` defaults to its thumbprint. */
export const signingKeySchema = z
  .looseObject({
    kty: described(
      z.enum(['RSA', 'EC', 'OKP', 'oct'], 'must be RSA, EC, OKP or oct'),
      'Type of the key (RFC 7517).',
    ),
    alg: described(oneOf(SIGNING_ALGS), 'The algorithm of the key.'),
    kid: described(
      z.optional(visible(200)),
      'Identifier of the key; its thumbprint (RFC 7638) by default.',
    ),
  })
  .check(
    z.superRefine((key, ctx) => {
      const { alg } = key;
      const kty = KTY_OF_ALG[alg];
      const secret = kty === 'oct' ? 'k' : 'd';
      const value = key[secret];
      if (key.kty !== kty) {
        const message = `must fit the key: ${alg} needs one of kty ${kty}`;
        ctx.addIssue({ code: 'custom', path: ['alg'], message });
      } else if (typeof value !== 'string') {
        const message = 'is required: a signing key must include its private part';
        ctx.addIssue({ code: 'custom', path: [secret], message });
      } else if (jsonBytes(key) > MAX_KEY_BYTES) {
        const message = `must not take more than ${MAX_KEY_BYTES / 1024} KiB in memory`;
        ctx.addIssue({ code: 'custom', message });
      } else if (alg === 'HS256' && value.length < HS256_CHARACTERS) {
        const bytes = Math.floor((value.length * 3) / 4);
        const message = `must be at least 32 bytes for HS256 (RFC 7518 3.2); it has ${bytes}`;
        ctx.addIssue({ code: 'custom', path: [secret], message });
      }
    }),
  );
