// Any value under the name of a secret is redacted, and the rest stays unchanged.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactorOf } from '../support/redactor.ts';
import { fuzzing } from '../support/fuzz.ts';

const { requestBody: body } = redactorOf();

const names = fc.constantFrom(
  'client_secret',
  'code',
  'refresh_token',
  'access_token',
  'code_verifier',
  'id_token',
);
const secrets = fc.stringMatching(/^s3cr3t-[\w!"\\ä&=%+ ]{0,20}$/);

it('a JSON value under the name of a secret is redacted, and the rest stays unchanged', () => {
  fc.assert(
    fc.property(names, secrets, fc.jsonValue(), fc.boolean(), (name, secret, other, indented) => {
      const text = JSON.stringify({ other, [name]: secret }, null, indented ? 2 : 0);
      const redacted = JSON.parse(body(text)) as Record<string, unknown>;
      expect(redacted[name]).toBe('[redacted]');
      expect(JSON.stringify(redacted)).not.toContain(JSON.stringify(secret).slice(1, -1));
    }),
    fuzzing(100),
  );
});

it('a form field with the name of a secret is redacted, and the rest stays unchanged', () => {
  fc.assert(
    fc.property(names, secrets, (name, secret) => {
      const text = new URLSearchParams({ client_id: 'app', [name]: secret }).toString();
      expect(body(text)).toBe(`client_id=app&${name}=[redacted]`);
    }),
    fuzzing(100),
  );
});
