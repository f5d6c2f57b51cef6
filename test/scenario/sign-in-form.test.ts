// The form of the sign-in page is taken from the exchange that returned it.

import { expect, test } from 'vitest';
import { approval, rejection, signInFormOf } from '../../src/scenario/sign-in-form.ts';
import { exchangeOf } from '../support/exchanges.ts';

const page = (members: Parameters<typeof exchangeOf>[0] = {}) =>
  exchangeOf({
    method: 'GET',
    path: '/authorize?client_id=demo-app',
    status: 200,
    sign_in: {
      form: 'the-form',
      scopes: ['openid', 'orders:read'],
      authentication: 'none',
      one_time_code: null,
    },
    response: {
      headers: [
        ['Content-Type', 'text/html; charset=utf-8'],
        ['Set-Cookie', 'browser=1; Path=/; HttpOnly'],
        ['Set-Cookie', 'other=2'],
      ],
      body: 'not read',
    },
    ...members,
  });

const form = () => {
  const found = signInFormOf(page());
  if (found === null) throw new Error('there is a form');
  return found;
};

test('an approval sends the form, the user, each scope and the cookies of the page', () => {
  const { method, path, headers, body } = approval(form(), 'ada');
  expect([method, path, headers['Cookie']]).toEqual(['POST', '/authorize', 'browser=1; other=2']);
  expect([...new URLSearchParams(body)]).toEqual([
    ['grantbench_form', 'the-form'],
    ['sub', 'ada'],
    ['scope', 'openid'],
    ['scope', 'orders:read'],
    ['decision', 'approve'],
  ]);
});

test.each(['deny', 'server_error'] as const)(
  'a rejection by %s sends the form, but neither a user nor a scope',
  (decision) => {
    expect([...new URLSearchParams(rejection(form(), decision).body)]).toEqual([
      ['grantbench_form', 'the-form'],
      ['decision', decision],
    ]);
  },
);

test('there is no form without a page, or when a fault rule replaced the page', () => {
  const json = { headers: [['Content-Type', 'application/json']] as [string, string][] };
  for (const exchange of [
    page({ sign_in: null }),
    page({ status: 503 }),
    page({ response: json }),
  ]) {
    expect(signInFormOf(exchange)).toBeNull();
  }
});
