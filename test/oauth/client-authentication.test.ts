// Client authentication in the Authorization header and in the body.

import { describe, expect, it, test } from 'vitest';
import {
  basicAuthorization,
  credentialsOf,
  isBasic,
  readBasic,
} from '../../src/oauth/client-authentication.ts';

describe('HTTP Basic, RFC 6749 2.3.1', () => {
  it('form-encodes id and secret, joins them and encodes them in base64', () => {
    const demo = { client_id: 'demo app', client_secret: 's:é' };
    expect(basicAuthorization(demo)).toBe(`Basic ${btoa('demo+app:s%3A%C3%A9')}`);
  });

  // Appendix B: a strict server would decode the characters that encodeURIComponent does not escape differently.
  test.each(["~!'()", 'a+b c%20', ':::', 'Ünal 漢字 🗝', ''])(
    'decodes what it encoded: %o',
    (text) => {
      const demo = { client_id: `id ${text}`, client_secret: text };
      expect(readBasic(basicAuthorization(demo))).toEqual(demo);
    },
  );

  it('RFC 7617 2: the first colon ends the id, also in credentials that are not form-encoded', () => {
    const read = readBasic(`basic  ${btoa('demo:a:b')}`);
    expect(read).toEqual({ client_id: 'demo', client_secret: 'a:b' });
  });

  test.each([
    null,
    '',
    'Bearer x',
    'Basic',
    'Basic %%%',
    `Basic ${btoa('%zz:')}`,
    `Digest Basic ${btoa('demo:s')}`,
  ])('rejects %o', (wrong) => {
    expect(readBasic(wrong)).toBeNull();
  });

  it('encodes a client without a secret', () => {
    const header = basicAuthorization({ client_id: 'spa', client_secret: null });
    expect(header).toBe(`Basic ${btoa('spa:')}`);
  });
});

it('RFC 6749 2.3.1: fields of the body come from the record of the client, unless another secret is given', () => {
  const record = { client_id: 'demo', client_secret: 's', client_name: 'Demo' };
  expect(credentialsOf(record)).toEqual({ client_id: 'demo', client_secret: 's' });
  expect(credentialsOf(record, 'other')).toEqual({ client_id: 'demo', client_secret: 'other' });
});

test.each([
  ['Basic eDp5', true],
  ['BASIC', true],
  ['Basically', false],
  ['Bearer Basic', false],
  [null, false],
])('%o has the scheme Basic: %o', (authorization, expected) => {
  expect(isBasic(authorization)).toBe(expected);
});

test('empty credentials are an empty id and secret', () => {
  expect(readBasic(`Basic ${btoa('')}`)).toEqual({ client_id: '', client_secret: '' });
});
