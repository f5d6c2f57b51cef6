// Behaviour 2 and 7, keys from the view of an API: jose's unchanged createRemoteJWKSet over real HTTP, across
// rotation, retirement, another algorithm and a restart.

import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../support/core.ts';
import { type Harness, ORDERS, startHarness, temporaryFolder } from '../support/harness.ts';

const ISSUER = 'http://sandbox.test';
const JWKS = '/.well-known/jwks.json';

const start = (options: Parameters<typeof startHarness>[0] = {}) =>
  startHarness({ ...options, engine: { issuer: ISSUER, ...options.engine } });

/** An API that verifies tokens and fetches the keys without a cooldown. */
function api({ url, machine }: Harness) {
  const keys = createRemoteJWKSet(new URL(JWKS, url()), { cooldownDuration: 0 });
  const verify = async (token: string) => {
    const currentDate = new Date(machine.now);
    const options = { issuer: ISSUER, audience: ORDERS, currentDate };
    return (await jwtVerify(token, keys, options)).protectedHeader.kid;
  };
  return { keys, verify };
}

const newToken = async ({ signIn }: Harness) => (await signIn()).access_token;

const kidsOf = async ({ get }: Harness) =>
  (await get<{ items: { kid: string }[] }>('/keys')).items.map(({ kid }) => kid);

describe('behaviour 2: an API that fetches the keys', () => {
  it('behaviour 2.13: verifies the tokens of both keys after a rotation, until it fetches the keys again without a retired one', async () => {
    const harness = await start();
    const cached = api(harness);
    const before = await newToken(harness);
    await cached.verify(before);
    const [old = ''] = await kidsOf(harness);
    const { kid } = await harness.post<{ kid: string }>('/keys');
    const after = await newToken(harness);
    await harness.post(`/keys/${old}/retire`);
    expect(await cached.verify(before)).toBe(old);
    await cached.keys.reload();
    await expect(cached.verify(before)).rejects.toBeInstanceOf(errors.JWKSNoMatchingKey);
    expect(await cached.verify(after)).toBe(kid);
    await expect(api(harness).verify(before)).rejects.toBeInstanceOf(errors.JWKSNoMatchingKey);
  });

  it('verifies without fetching the keys again after a restart with stored keys', async () => {
    const keep_file = `${await temporaryFolder()}/keep.json`;
    const first = await start({ engine: { keep_file } });
    const { verify } = api(first);
    const before = await newToken(first);
    const kid = await verify(before);
    await first.engine.close();
    const second = await start({ engine: { keep_file, random: seededRandom(2) } });
    // The old address no longer exists, so the API must already have the key.
    expect(await verify(await newToken(second))).toBe(kid);
    expect(await verify(before)).toBe(kid);
    expect(await api(second).verify(before)).toBe(kid);
  });
});
