// Which discovery metadata does not apply to a client with a profile of its own.

import { expect, test } from 'vitest';
import { discoveryNote } from '../../src/renderer/connect-app/discovery.ts';
import { call, startHarness } from '../support/harness.ts';

const PROFILES = ['documented', 'strict', 'interop'] as const;

interface Metadata {
  readonly token_endpoint_auth_methods_supported: readonly string[];
  readonly grant_types_supported: readonly string[];
  readonly dpop_signing_alg_values_supported?: readonly string[];
}

/** All metadata that depends on the profile, worded as the note words it. */
const NAMES: Readonly<Record<string, string>> = {
  client_secret_basic: 'HTTP Basic',
  private_key_jwt: 'signed assertions',
  none: 'clients without a secret',
  password: 'the password grant',
  dpop: 'DPoP',
};

async function listed(): Promise<Record<(typeof PROFILES)[number], readonly string[]>> {
  const { patch, url } = await startHarness();
  const lists = new Map<string, readonly string[]>();
  for (const profile of PROFILES) {
    await patch('/settings', { profile });
    const answer = await call(url(), 'GET', '/.well-known/openid-configuration');
    const metadata = answer.body as Metadata;
    lists.set(profile, [
      ...metadata.token_endpoint_auth_methods_supported,
      ...metadata.grant_types_supported,
      ...(metadata.dpop_signing_alg_values_supported === undefined ? [] : ['dpop']),
    ]);
  }
  return Object.fromEntries(lists) as Awaited<ReturnType<typeof listed>>;
}

test('behaviour 7.11: the note names exactly the metadata that differs for the client’s profile', async () => {
  const lists = await listed();
  const noted: unknown[] = [];
  const differences: unknown[] = [];
  for (const server of PROFILES) {
    for (const own of PROFILES) {
      const note = discoveryNote(own, server) ?? '';
      noted.push([server, own, Object.values(NAMES).filter((name) => note.includes(name))]);
      const [mine, its] = [lists[own], lists[server]];
      const differing = [...mine, ...its].filter((one) => mine.includes(one) !== its.includes(one));
      const words = differing.map((name) => NAMES[name] ?? `unexpected ${name}`);
      const inOrder = Object.values(NAMES).filter((name) => words.includes(name));
      differences.push([server, own, inOrder]);
    }
  }
  expect(noted).toEqual(differences);
});

test('a client without a profile of its own has no note, since discovery describes it', () => {
  for (const profile of PROFILES) expect(discoveryNote(null, profile)).toBeNull();
});

test('the note says whether the client accepts more or less than discovery lists', () => {
  expect(discoveryNote('interop', 'documented')).toBe(
    'Discovery describes the server’s profile, documented. This client’s profile, interop, also accepts HTTP Basic, signed assertions, clients without a secret and DPoP. Discovery does not list that, so configure it in the app.',
  );
  expect(discoveryNote('strict', 'documented')).toBe(
    'Discovery describes the server’s profile, documented. It lists the password grant, which this client’s profile, strict, rejects.',
  );
});
