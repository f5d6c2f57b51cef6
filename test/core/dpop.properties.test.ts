// DPoP proofs under a clock that moves forward and back (RFC 9449 11.1).

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { client, createTestService, refreshRequest, START } from '../support/core.ts';
import type { ProofKey } from '../support/dpop.ts';
import { dpopHeader, proof, proofKey } from '../support/dpop.ts';

let key: ProofKey;
let proofs: readonly { readonly jwt: string; readonly iat: number }[];

/** The times at which the proofs are created, in seconds after the start. */
const TIMES = [-90, -30, 0, 45, 200];

beforeAll(async () => {
  key = await proofKey();
  proofs = await Promise.all(
    TIMES.map(async (seconds) => {
      const iat = START / 1000 + seconds;
      return { iat, jwt: await proof(key, { claims: { iat } }) };
    }),
  );
});

const step = fc.oneof(
  fc.record({
    kind: fc.constantFrom('present'),
    index: fc.integer({ min: 0, max: TIMES.length - 1 }),
  }),
  fc.record({ kind: fc.constantFrom('clock'), seconds: fc.integer({ min: -400, max: 400 }) }),
  fc.record({ kind: fc.constantFrom('window'), proof_seconds: fc.constantFrom(1, 60, 3600) }),
);

test('behaviour 10.4, RFC 9449 11.1: however the clock is moved, a proof is accepted at most once, and only within the window', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
      const made = createTestService({
        settings: { profile: 'interop', throttle: { mode: 'off' } },
        clients: [client({ grant_types: ['client_credentials'] })],
      });
      const own = { grant_type: 'client_credentials' };
      const accepted = new Set<number>();
      let window = 60;
      for (const one of steps) {
        if ('seconds' in one) made.clock.set(START + one.seconds * 1000);
        else if ('proof_seconds' in one) {
          window = one.proof_seconds;
          made.configure({
            profile: 'interop',
            throttle: { mode: 'off' },
            dpop: { proof_seconds: window },
          });
        } else {
          const { jwt = '', iat = 0 } = proofs[one.index] ?? {};
          const within = Math.abs(made.clock.now() / 1000 - iat) <= window;
          const expected = within && !accepted.has(one.index);
          const outcome = await made.evaluate(refreshRequest(own, { dpop: dpopHeader(jwt) }));
          expect(outcome.answer !== null).toBe(expected);
          if (expected) accepted.add(one.index);
        }
      }
    }),
    { numRuns: 150 },
  );
});
