// The redactor on generated secrets: any secret is redacted at any position and with any escaping, JSON stays JSON,
// and text without secrets stays unchanged.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Redactor } from '../../src/redact/redactor.ts';
import { redactorOf } from '../support/redactor.ts';
import { fuzzing } from '../support/fuzz.ts';
import {
  FORMS,
  PLACED,
  reveals,
  writeRequest,
  type WrittenRequest,
} from '../support/secret-places.ts';

const shownOf = ({ target, headers, body }: WrittenRequest, redactor: Redactor): string =>
  [
    redactor.target(target),
    ...headers.map(([name, value]) => `${name}: ${redactor.headerValue(name, value)}`),
    redactor.requestBody(body),
    redactor.responseBody(body),
    redactor.words(body),
  ].join('\n');

// The prefixes distinguish the secrets from the surrounding text.
const secrets = fc.oneof(
  fc.stringMatching(/^S3~[ -~]{3,60}$/),
  fc.stringMatching(/^S3~([%+&\\"/=u;#<>]|%2|&l|\\u0){3,20}$/),
);

test('a known secret is redacted at every place and in every form', () => {
  fc.assert(
    fc.property(secrets, fc.constantFrom(...PLACED), (secret, { place, form }) => {
      const shown = shownOf(writeRequest(place, form, secret), redactorOf(secret));
      expect(reveals(shown, secret, FORMS[form](secret))).toBe(false);
    }),
    fuzzing(3000),
  );
});

test('JSON with secrets stays JSON with the same members', () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(value, secrets, secrets, (other, secret, second) => {
      const text = JSON.stringify({ other, a: { b: [secret, { c: `x${second}y` }] }, [secret]: 1 });
      const redactor = redactorOf(secret, second);
      for (const shown of [redactor.requestBody(text), redactor.responseBody(text)]) {
        const parsed = JSON.parse(shown) as { a: { b: unknown[] } };
        expect(Object.keys(parsed)).toHaveLength(3);
        expect(parsed.a.b).toHaveLength(2);
        expect(reveals(shown, secret, secret)).toBe(false);
      }
    }),
    fuzzing(500),
  );
});

test('a text without secrets stays unchanged', () => {
  const harmless = fc.stringMatching(/^[a-m ,.!?:;(){}[\]"'\\%&+<>/#-]{0,80}$/);
  const redactor = redactorOf('zzz-secret', 'yyy secret+%41');
  fc.assert(
    fc.property(harmless, (text) => {
      expect(redactor.target(text)).toBe(text);
      expect(redactor.headerValue('X-Note', text)).toBe(text);
      expect(redactor.requestBody(text)).toBe(text);
      expect(redactor.responseBody(text)).toBe(text);
      expect(redactor.words(text)).toBe(text);
    }),
    fuzzing(1000),
  );
});
