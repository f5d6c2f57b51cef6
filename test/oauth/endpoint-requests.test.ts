// Requests to the endpoints that take no grant.

import { describe, expect, it } from 'vitest';
import {
  authorizeFields,
  authorizeRequest,
  userinfoRequest,
} from '../../src/oauth/endpoint-requests.ts';

describe('requests', () => {
  it('RFC 6749 4.1.1: the authorization request carries what was entered, and PKCE as S256', () => {
    const fields = authorizeFields({
      client_id: 'demo-app',
      redirect_uri: 'http://localhost:3000/cb?x=1',
      scope: 'openid profile',
      audience: '',
      state: 's',
      challenge: { code_challenge: 'c', code_challenge_method: 'S256' },
      login_hint: 'ada',
    });
    expect(authorizeRequest(fields)).toMatchObject({
      method: 'GET',
      path: '/authorize?response_type=code&client_id=demo-app&redirect_uri=http%3A%2F%2Flocalhost%3A3000%2Fcb%3Fx%3D1&scope=openid+profile&state=s&code_challenge=c&code_challenge_method=S256&login_hint=ada',
    });
  });

  it('RFC 6750 2: the token goes in the header, or in a form', () => {
    expect(userinfoRequest('t', 'header')).toMatchObject({
      method: 'GET',
      headers: { authorization: 'Bearer t' },
    });
    expect(userinfoRequest('t', 'body')).toMatchObject({ method: 'POST', body: 'access_token=t' });
  });
});
