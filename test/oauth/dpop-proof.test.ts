// DPoP proofs, verified with a third-party library.

import { createHash } from 'node:crypto';
import {
  calculateJwkThumbprint,
  decodeJwt,
  EmbeddedJWK,
  exportJWK,
  generateKeyPair,
  jwtVerify,
} from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ProofKey, ProofOrder } from '../../src/oauth/dpop.ts';
import { createProofKey, createProver, demandedNonce, thumbprintOf } from '../../src/oauth/dpop.ts';

let key: ProofKey;
beforeAll(async () => {
  key = await createProofKey();
});

const request = { method: 'GET', path: '/userinfo', headers: { Authorization: 'DPoP token-1' } };
const prover = () =>
  createProver({
    now: () => Promise.resolve(1_800_000_000_999),
    uriOf: (path) => `https://as.example${path}`,
  });
const proofOf = async (made: ReturnType<typeof prover>, order: ProofOrder = {}, sent = request) =>
  (await made.proven(sent, order)).headers['dpop'] ?? '';

describe('the thumbprint of a key', () => {
  it.each(['ES384', 'EdDSA', 'RS256'])(
    'RFC 7638 3.2: has the required members of its type only (%s)',
    async (alg) => {
      const { publicKey } = await generateKeyPair(alg);
      const jwk = await exportJWK(publicKey);
      const thumbprint = await thumbprintOf({ ...jwk, kid: 'k', use: 'sig', alg });
      expect(thumbprint).toBe(await calculateJwkThumbprint(jwk));
    },
  );

  it('RFC 7638 3.2: there is none without the required members, or for a symmetric key', async () => {
    const { y: _, ...rest } = key.public_jwk;
    const wrong = [null, 'key', {}, rest, { ...rest, y: 5 }, { kty: 'oct', k: 'AAAA' }];
    for (const jwk of wrong) expect(await thumbprintOf(jwk)).toBeNull();
  });
});

describe('a proof', () => {
  const bare = { method: 'POST', path: '/oauth/token', headers: { Authorization: 'Basic a' } };

  it('RFC 9449 4.2: is signed, and contains its public key, method, URI and time', async () => {
    const made = prover();
    const proof = await proofOf(made, {}, bare);
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK);
    const { public_jwk } = await made.key();
    expect(protectedHeader).toEqual({ typ: 'dpop+jwt', alg: 'ES256', jwk: public_jwk });
    expect(Object.keys(public_jwk).sort()).toEqual(['crv', 'kty', 'x', 'y']);
    expect(payload).toEqual({
      jti: expect.stringMatching(/^[\w-]{22}$/) as string,
      htm: 'POST',
      htu: 'https://as.example/oauth/token',
      iat: 1_800_000_000,
    });
  });

  it('RFC 9449 4.2: has a new jti each time', async () => {
    const made = prover();
    const [one, two] = [await proofOf(made), await proofOf(made)].map(decodeJwt);
    expect(one?.jti).not.toBe(two?.jti);
  });

  it('RFC 9449 4.2: omits query and fragment from htu', async () => {
    const proof = await proofOf(prover(), {}, { ...request, path: '/userinfo?a=b#c' });
    expect(decodeJwt(proof)['htu']).toBe('https://as.example/userinfo');
  });

  it('is the DPoP header of its request', async () => {
    expect(await prover().proven(bare, {})).toEqual({
      ...bare,
      headers: { ...bare.headers, dpop: expect.any(String) as string },
    });
  });
});

it('RFC 7638 3: a proof key is new each time and has the thumbprint that jose calculates', async () => {
  expect(key.jkt).toBe(await calculateJwkThumbprint({ ...key.public_jwk }));
  expect((await createProofKey()).jkt).not.toBe(key.jkt);
});

it('RFC 9449 8: the nonce of a response is required only by use_dpop_nonce', () => {
  const headers = [['DPoP-Nonce', 'n-2']] as const;
  expect(demandedNonce({ error: 'use_dpop_nonce', headers })).toBe('n-2');
  expect(demandedNonce({ error: 'invalid_dpop_proof', headers })).toBeNull();
  expect(demandedNonce({ error: 'use_dpop_nonce', headers: [] })).toBeNull();
});

describe('a prover', () => {
  const demand = { error: 'use_dpop_nonce', headers: [['DPoP-Nonce', 'n-1']] } as const;
  const accept = { error: null, headers: [] } as const;
  /** The nonces of the proofs that are sent until the server accepts, and how often it was asked. */
  async function noncesSent(
    order: ProofOrder,
    answers: readonly (typeof demand | typeof accept)[],
  ) {
    const sent: unknown[] = [];
    const made = prover();
    if (order.replay === true) await made.proven(request, {});
    await made.send(request, order, {
      send: ({ headers }) => {
        sent.push(decodeJwt(headers['dpop'] ?? '')['nonce']);
        return Promise.resolve(answers[sent.length - 1] ?? accept);
      },
      responseOf: (answer) => answer,
    });
    return sent;
  }

  it('RFC 9449 4.2: proves the method, the URI, the time in seconds and the presented token', async () => {
    const claims = decodeJwt(await proofOf(prover(), { age_seconds: 60 }));
    const ath = createHash('sha256').update('token-1').digest('base64url');
    const htu = 'https://as.example/userinfo';
    expect(claims).toMatchObject({ htm: 'GET', htu, iat: 1_799_999_940, ath });
    const bare = await prover().proven({ ...request, headers: { authorization: 'Basic a' } }, {});
    expect(decodeJwt(bare.headers['dpop'] ?? '')).not.toHaveProperty('ath');
  });

  it.each([
    ['bearer token-1', 'token-1'],
    ['DPOP token-1', 'token-1'],
    ['Bearer a b', 'a b'],
    ['Bearer ', null],
    ['Basic a', null],
    ['a Bearer token-1', null],
    ['Bearertoken-1', null],
  ])('RFC 9449 4.2: the header "%s" presents the token %s', async (authorization, token) => {
    const sent = await prover().proven({ ...request, headers: { authorization } }, {});
    const ath = createHash('sha256')
      .update(token ?? '')
      .digest('base64url');
    expect(decodeJwt(sent.headers['dpop'] ?? '')['ath']).toBe(token === null ? undefined : ath);
  });

  it('makes the mistakes that were ordered in header and claims, and signs with the named key', async () => {
    const made = prover();
    const other = await made.key('other');
    const order = { key: 'other', header: { typ: null, x: 1 }, claims: { htm: 'PUT', jti: null } };
    const proof = await proofOf(made, order);
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK);
    expect(protectedHeader).toEqual({ alg: 'ES256', jwk: other.public_jwk, x: 1 });
    expect(payload).toEqual({
      htm: 'PUT',
      htu: 'https://as.example/userinfo',
      iat: 1_800_000_000,
      ath: createHash('sha256').update('token-1').digest('base64url'),
    });
  });

  it('returns the response to the last request that it sent', async () => {
    const answers = [demand, accept];
    const answer = await prover().send(
      request,
      {},
      {
        send: () => Promise.resolve(answers.shift() ?? accept),
        responseOf: (one) => one,
      },
    );
    expect(answer).toBe(accept);
  });

  it('keeps one key for each name', async () => {
    const made = prover();
    expect(await made.key()).toBe(await made.key());
    expect(await made.key('other')).toBe(await made.key('other'));
    expect((await made.key('other')).jkt).not.toBe((await made.key()).jkt);
  });

  it('sends the last proof again, and nothing where there was none', async () => {
    const made = prover();
    await expect(made.proven(request, { replay: true })).rejects.toMatchObject({
      name: 'NothingToReplayError',
    });
    const first = await proofOf(made);
    expect(await proofOf(made, { replay: true })).toBe(first);
    expect(await proofOf(made)).not.toBe(first);
  });

  it('RFC 9449 8: repeats a request once with the nonce that the server requires', async () => {
    expect(await noncesSent({}, [accept])).toEqual([undefined]);
    expect(await noncesSent({}, [demand])).toEqual([undefined, 'n-1']);
    expect(await noncesSent({}, [demand, demand])).toEqual([undefined, 'n-1']);
  });

  it('does not repeat a replayed proof, or one with a nonce of its own', async () => {
    expect(await noncesSent({ replay: true }, [demand])).toEqual([undefined]);
    expect(await noncesSent({ claims: { nonce: 'own' } }, [demand])).toEqual(['own']);
    expect(await noncesSent({ claims: { nonce: null } }, [demand])).toEqual([undefined]);
    expect(await noncesSent({ claims: { jti: 'own' } }, [demand])).toEqual([undefined, 'n-1']);
  });

  it('keeps the newest nonce of any response for later proofs', async () => {
    const made = prover();
    made.learn({ error: null, headers: [['dpop-nonce', 'n-2']] });
    made.learn({ error: null, headers: [] });
    expect(decodeJwt(await proofOf(made))['nonce']).toBe('n-2');
  });
});
