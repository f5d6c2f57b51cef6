// Client authentication: in the header, and by fields of the body.

import { describe, expect, it, test } from 'vitest';
import {
  basicAuthorization,
  credentialsOf,
  readBasic,
} from '../../src/oauth/client-authentication.ts';

describe('HTTP Basic, RFC 6749 2.3.1', () => {
  it('has id and secret form-encoded, then joined, then in base64', () => {
    const demo = { client_id: 'demo app', client_secret: 's:é' };
    expect(basicAuthorization(demo)).toBe(`Basic ${btoa('demo+app:s%3A%C3%A9')}`);
  });

  // Appendix B: what encodeURIComponent leaves as it is would be read otherwise by a strict server.
  test.each(["~!'()", 'a+b c%20', ':::', 'Ünal 漢字 🗝', ''])('reads %o back', (text) => {
    const demo = { client_id: `id ${text}`, client_secret: text };
    expect(readBasic(basicAuthorization(demo))).toEqual(demo);
  });

  test.each([null, '', 'Bearer x', 'Basic', 'Basic %%%', `Basic ${btoa('%zz:')}`])(
    'reads nothing from %o',
    (wrong) => {
      expect(readBasic(wrong)).toBeNull();
    },
  );

  it('names a client without secret all the same', () => {
    const header = basicAuthorization({ client_id: 'spa', client_secret: null });
    expect(header).toBe(`Basic ${btoa('spa:')}`);
  });
});

describe('fields of the body, RFC 6749 2.3.1', () => {
  it('are taken from a record, unless another secret is to be sent', () => {
    const record = { client_id: 'demo', client_secret: 's', client_name: 'Demo' };
    expect(credentialsOf(record)).toEqual({ client_id: 'demo', client_secret: 's' });
    expect(credentialsOf(record, 'other')).toEqual({ client_id: 'demo', client_secret: 'other' });
  });
});
