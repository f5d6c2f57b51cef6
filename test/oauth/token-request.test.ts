// Token requests in both body formats.

import { describe, expect, it } from 'vitest';
import { FORM_TYPE, JSON_TYPE } from '../../src/oauth/fields.ts';
import {
  deviceAuthorizationRequest,
  documentedFormat,
  tokenRequest,
} from '../../src/oauth/token-request.ts';
import { fieldsOf } from '../support/client-requests.ts';

const demo = { client_id: 'demo', client_secret: 's t' };
const exchange = { code: 'c', redirect_uri: 'http://localhost/cb?x=1', audience: 'urn:api' };
const code = fieldsOf({ grant_type: 'authorization_code', ...exchange });

describe('the request', () => {
  it('spec 4.1: defaults to JSON for a code and to a form for other grants', () => {
    const typeOf = (...of: Parameters<typeof tokenRequest>) =>
      tokenRequest(...of).headers['content-type'];
    expect(typeOf(code)).toBe(JSON_TYPE);
    expect(typeOf(code, { format: 'form' })).toBe(FORM_TYPE);
    expect(typeOf([['grant_type', 'refresh_token']])).toBe(FORM_TYPE);
    expect(typeOf([['grant_type', 'client_credentials']])).toBe(FORM_TYPE);
    expect(['authorization_code', 'refresh_token', undefined].map(documentedFormat)).toEqual([
      'json',
      'form',
      'form',
    ]);
  });

  it('has the same fields in both formats', () => {
    const json: unknown = JSON.parse(tokenRequest(code).body ?? '');
    const form = new URLSearchParams(tokenRequest(code, { format: 'form' }).body);
    expect(json).toEqual(Object.fromEntries(code));
    expect([...form]).toEqual(code);
  });

  it('keeps a repeated name and a non-string value in JSON', () => {
    const { body } = tokenRequest(
      [
        ['a', '1'],
        ['a', 2],
      ],
      { format: 'json' },
    );
    expect(body).toBe('{\n  "a": "1",\n  "a": 2\n}');
  });

  it('RFC 6749 3.2: is a POST to the token endpoint that accepts JSON', () => {
    expect(tokenRequest([['grant_type', 'password']])).toEqual({
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': FORM_TYPE, accept: JSON_TYPE },
      body: 'grant_type=password',
    });
    expect(tokenRequest([['grant', 'authorization_code']]).headers).toEqual({
      'content-type': FORM_TYPE,
      accept: JSON_TYPE,
    });
    expect(tokenRequest([])).toMatchObject({ body: '' });
  });

  it('RFC 6749 2.3.1: carries the credentials in the Authorization header on request', () => {
    const request = tokenRequest(code, { basic: demo, path: '/base/oauth/token' });
    expect(request.headers['authorization']).toBe(`Basic ${btoa('demo:s+t')}`);
    expect(request.path).toBe('/base/oauth/token');
    expect(request.body).not.toContain('client_');
  });
});

it('RFC 8628 3.1: a device authorization request is a form', () => {
  expect(deviceAuthorizationRequest([['client_id', 'tv 1']])).toEqual({
    method: 'POST',
    path: '/oauth/device_authorization',
    headers: { 'content-type': FORM_TYPE, accept: JSON_TYPE },
    body: 'client_id=tv+1',
  });
});
