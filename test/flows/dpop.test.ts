// DPoP (RFC 9449) over real HTTP: the responses to valid and invalid proofs. Third-party clients that use it are in
// https.test.ts.

import { describe, expect, it } from 'vitest';
import { hashOf, proof, proofKey, type ProofParts } from '../support/dpop.ts';
import { authorizePath } from '../support/form-calls.ts';
import { CREDENTIALS, sendForm } from '../support/harness.ts';
import {
  type HttpService,
  NOW,
  ownHttpService,
  REDIRECT_URI,
  sharedHttpService,
} from '../support/http-service.ts';
import { createPerson } from '../support/person.ts';
import { ask, present, signIn } from '../support/token-endpoints.ts';

const ALGS = 'algs="RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519"';

const http = await sharedHttpService({ profile: 'interop' });
const [key, other] = await Promise.all([proofKey(), proofKey()]);

/** A proof for this path of the server. */
const proofFor = (method: string, path: string, { claims, header }: ProofParts = {}, by = key) =>
  proof(by, {
    claims: { htm: method, htu: `${http.url}${path}`, iat: NOW / 1000, ...claims },
    ...(header === undefined ? {} : { header }),
  });

const redeem = (code: string, headers: Record<string, string>) =>
  present(
    http.url,
    '/oauth/token',
    { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI, code },
    headers,
  );

async function boundToken() {
  const code = await http.code({ scope: 'openid profile' });
  const { body } = await redeem(code, { DPoP: await proofFor('POST', '/oauth/token') });
  return String(body['access_token']);
}

const userinfo = (headers: Record<string, string>) => fetch(`${http.url}/userinfo`, { headers });

/** Sends a proof for the token, with parts that can be overridden. */
async function userinfoWith(token: string, parts: ProofParts = {}, by = key) {
  const claims = { ...hashOf(token), ...parts.claims };
  const DPoP = await proofFor('GET', '/userinfo', { ...parts, claims }, by);
  return userinfo({ Authorization: `DPoP ${token}`, DPoP });
}

describe('the token endpoint', () => {
  it('RFC 9449 5: answers an invalid proof with 400, and a required nonce in DPoP-Nonce', async () => {
    const fields = { grant_type: 'refresh_token', refresh_token: 'x' };
    const wrong = await present(http.url, '/oauth/token', fields, { DPoP: 'x' });
    expect([wrong.status, wrong.body['error']]).toEqual([400, 'invalid_dpop_proof']);
    expect(wrong.headers.has('dpop-nonce')).toBe(false);
    const demanding = await ownHttpService({ profile: 'interop', dpop: { require_nonce: true } });
    const value = await proof(key, {
      claims: { htu: `${demanding.url}/oauth/token`, iat: NOW / 1000 },
    });
    const response = await present(demanding.url, '/oauth/token', fields, {
      DPoP: value,
      Origin: 'https://app.example',
    });
    expect([response.status, response.body['error']]).toEqual([400, 'use_dpop_nonce']);
    expect(response.headers.get('dpop-nonce')).toMatch(/^[\w.-]+$/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const exposed = response.headers.get('access-control-expose-headers');
    expect(exposed?.split(', ')).toEqual(
      expect.arrayContaining(['DPoP-Nonce', 'WWW-Authenticate']),
    );
  });

  it('behaviour 10.2, RFC 9449 4.3: rejects two DPoP headers', async () => {
    const DPoP = [await proofFor('POST', '/oauth/token'), await proofFor('POST', '/oauth/token')];
    const fields = { ...CREDENTIALS, grant_type: 'refresh_token', refresh_token: 'x' };
    const { status } = await sendForm(http.url, '/oauth/token', fields, { DPoP });
    expect(status).toBe(400);
    expect(http.newest()?.evaluation?.refusal?.reason).toBe('dpop_repeated');
  });

  it('behaviour 10.6, RFC 9449 10: binds the code to dpop_jkt of the authorization request', async () => {
    http.configure({ authorize: 'auto' });
    const visit = async (dpop_jkt: string) => {
      const { location } = await createPerson(http.url).visit(authorizePath({ dpop_jkt }));
      return location?.searchParams;
    };
    expect((await visit('short'))?.get('error')).toBe('invalid_request');
    const code = (await visit(key.jkt))?.get('code') ?? '';
    const foreign = await proofFor('POST', '/oauth/token', {}, other);
    expect((await redeem(code, { DPoP: foreign })).body['error']).toBe('invalid_grant');
    const own = await proofFor('POST', '/oauth/token');
    expect((await redeem(code, { DPoP: own })).body['token_type']).toBe('DPoP');
  });

  it('behaviour 10.1, RFC 9449 5.1: is described in the metadata of interop by the algorithms, and not in that of documented', async () => {
    const documented = await ownHttpService();
    const algsOf = async ({ url }: HttpService) => {
      const { body } = await ask(url, '/.well-known/openid-configuration');
      return body['dpop_signing_alg_values_supported'];
    };
    expect(await algsOf(http)).toContain('ES256');
    expect(await algsOf(documented)).toBeUndefined();
  });
});

describe('a bound token', () => {
  it('behaviour 10.7, RFC 9449 7.1: userinfo accepts a bound token with a proof', async () => {
    const response = await userinfoWith(await boundToken());
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ sub: 'ada', name: 'Ada Example' });
  });

  it('behaviour 10.7, RFC 9449 7.1, 7.2: userinfo rejects a bound token as Bearer, and names both schemes', async () => {
    const token = await boundToken();
    const response = await userinfo({ Authorization: `Bearer ${token}` });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer realm="grantbench", error="invalid_token", error_description="the access token is bound to a key: send it with the scheme DPoP and a proof (RFC 9449 7.1)", DPoP ${ALGS}`,
    );
    const posted = await fetch(`${http.url}/userinfo`, {
      method: 'POST',
      body: new URLSearchParams({ access_token: token }),
    });
    expect(posted.status).toBe(401);
  });

  // The deliberate mistakes at userinfo (test/scenario/mistakes.test.ts) are the other wrong proofs.
  it('behaviour 10.7, RFC 9449 4.3, 7.1: userinfo rejects a bound token without a proof of its key for this token', async () => {
    const token = await boundToken();
    const withAth = (ath?: unknown) => userinfoWith(token, { claims: { ath } });
    for (const [response, error, description] of [
      [await userinfo({ Authorization: `DPoP ${token}` }), 'invalid_dpop_proof', 'a DPoP proof is'],
      [await userinfoWith(token, {}, other), 'invalid_token', 'the access token is bound to'],
      [await withAth(), 'invalid_dpop_proof', 'ath of the DPoP proof is required'],
      [await withAth('x'), 'invalid_dpop_proof', 'ath of the DPoP proof must be the hash'],
    ] as const) {
      expect(response.status).toBe(401);
      const challenge = response.headers.get('www-authenticate') ?? '';
      const start = `DPoP realm="grantbench", error="${error}", error_description="${description}`;
      expect(challenge.slice(0, start.length)).toBe(start);
      expect(challenge).toContain(ALGS);
    }
  });

  it('RFC 9449 7.1: userinfo rejects an unbound token with the scheme DPoP', async () => {
    const { access_token } = await signIn(http, { scope: 'openid' });
    const response = await userinfoWith(access_token);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('send it as Bearer');
  });

  it('RFC 9449 7.1: stays bound under a profile without DPoP', async () => {
    const token = await boundToken();
    http.configure({ profile: 'documented' });
    const [bearer, dpop] = [
      await userinfo({ Authorization: `Bearer ${token}` }),
      await userinfoWith(token),
    ];
    expect([bearer.status, dpop.status]).toEqual([401, 200]);
  });

  it('behaviour 10.7, RFC 9449 9: userinfo requires a nonce with 401, and accepts it', async () => {
    const token = await boundToken();
    http.configure({ dpop: { require_nonce: true } });
    const demanded = await userinfoWith(token);
    const nonce = demanded.headers.get('dpop-nonce') ?? '';
    const answered = await userinfoWith(token, { claims: { nonce } });
    expect(demanded.status).toBe(401);
    expect(demanded.headers.get('www-authenticate')).toContain('error="use_dpop_nonce"');
    expect([answered.status, answered.headers.get('dpop-nonce')]).toEqual([200, nonce]);
  });

  it('behaviour 10.8, RFC 9449 6.2: introspection returns the key and the type, and revocation needs no proof', async () => {
    const token = await boundToken();
    expect((await present(http.url, '/oauth/introspect', { token })).body).toMatchObject({
      active: true,
      token_type: 'DPoP',
      cnf: { jkt: key.jkt },
    });
    expect((await present(http.url, '/oauth/revoke', { token })).status).toBe(200);
    expect((await userinfoWith(token)).status).toBe(401);
  });

  it('RFC 9449 7.2: without a token, interop names both schemes', async () => {
    const response = await userinfo({});
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer realm="grantbench", DPoP ${ALGS}`,
    );
  });
});
