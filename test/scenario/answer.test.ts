// The response to a step, as a scenario can expect and save it.

import { describe, expect, it } from 'vitest';
import { answerOf, answerOfControl } from '../../src/scenario/actions/answer.ts';
import type { HttpAnswer } from '../../src/scenario/runner/scenario-sandbox.ts';
import { exchangeOf } from '../support/exchanges.ts';

const received = (members: Partial<HttpAnswer> = {}): HttpAnswer => ({
  status: 200,
  headers: {},
  text: '',
  exchange: null,
  ...members,
});

const answer = (members: Partial<HttpAnswer>) => answerOf(received(members), null);

const jwt = (claims: unknown) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;

const withToken = (access_token: unknown) => answer({ text: JSON.stringify({ access_token }) });

/** The other members of a response of which nothing else is known. */
const NOTHING = {
  headers: {},
  redirect: undefined,
  claims: undefined,
  retry_after: undefined,
  error: null,
  failed_check: null,
  cause: null,
  reason: null,
  deviations: [],
  advisories: [],
  exchange: null,
};

describe('a response', () => {
  it('without a recorded exchange has no cause, and nothing else that is unknown', () => {
    expect(answer({ status: 204 })).toEqual({
      status: 204,
      body: undefined,
      ...NOTHING,
    });
  });

  it.each([
    ['{"a":1}', { a: 1 }],
    ['[1]', [1]],
    ['null', null],
    ['<html>', '<html>'],
  ])('with the body %j has it as JSON, or as text', (text, body) => {
    expect(answer({ text }).body).toEqual(body);
  });

  it('has repeated headers as one text', () => {
    const headers = { 'set-cookie': ['a=1', 'b=2'], vary: 'Origin' };
    expect(answer({ headers }).headers).toEqual({ 'set-cookie': 'a=1, b=2', vary: 'Origin' });
  });

  it('has the seconds of Retry-After as a number', () => {
    expect(answer({ headers: { 'retry-after': '7' } }).retry_after).toBe(7);
  });

  it('has the cause and the notes of its exchange', () => {
    const why = { check: 'code', reason: 'code_expired', summary: 'Expired.' };
    const exchange = exchangeOf({
      error: 'invalid_grant',
      cause: 'The code has expired.',
      why: why as NonNullable<Parameters<typeof exchangeOf>[0]['why']>,
      deviation_notes: [{ id: 'code_reusable' }] as never,
      advisory_notes: [{ kind: 'no_pkce' }] as never,
    });
    expect(answerOf(received({ status: 400 }), exchange)).toMatchObject({
      error: 'invalid_grant',
      failed_check: 'code',
      cause: 'The code has expired.',
      reason: 'code_expired',
      deviations: ['code_reusable'],
      advisories: ['no_pkce'],
      exchange,
    });
  });
});

describe('the error of a response', () => {
  const exchange = exchangeOf({ error: 'recorded' });
  const errorOf = (members: Partial<HttpAnswer>) => answerOf(received(members), exchange).error;

  it('is that of the body, else that of the redirect, else the recorded one', () => {
    const text = '{"error":"in_body"}';
    const headers = { location: 'http://localhost/cb?error=in_redirect' };
    expect(errorOf({ text, headers })).toBe('in_body');
    expect(errorOf({ headers })).toBe('in_redirect');
    expect(errorOf({})).toBe('recorded');
  });

  it.each(['{"error":1}', '["error"]', '"error"'])(
    'is the recorded one for the body %s, which has none as a text',
    (text) => {
      expect(errorOf({ text })).toBe('recorded');
    },
  );
});

describe('the redirect of a response', () => {
  const redirectTo = (location: string) => answer({ headers: { location } }).redirect;

  it.each([
    ['code', { code: 'a&b"c', state: '<é>' }],
    ['error', { error: 'a&b"c', state: '<é>' }],
    ['one_time_code', undefined],
  ])(
    'has the parameters of a form with %s only if it is an authorization response',
    (name, parameters) => {
      const first = `<input type="hidden" name="${name}" value="a&amp;b&quot;c" />`;
      const text = `<form method="post">${first}<INPUT VALUE="&lt;&#xe9;&#62;" NAME="state"></form>`;
      expect(answer({ text }).redirect).toEqual(parameters);
    },
  );

  it('has the parameters of the query and of the fragment', () => {
    expect(redirectTo('http://localhost/cb?state=s#code=c')).toEqual({ state: 's', code: 'c' });
    expect(redirectTo('http://localhost/cb')).toEqual({});
  });

  it('has the texts in the claims of a signed response (JARM 2.1)', () => {
    const response = jwt({ code: 'c', iss: 'i', exp: 5 });
    expect(redirectTo(`http://localhost/cb?response=${response}`)).toEqual({
      response,
      code: 'c',
      iss: 'i',
    });
  });
});

describe('the claims of a response', () => {
  it('are those of the access token', () => {
    expect(withToken(jwt({ sub: 'ada' })).claims).toEqual({ sub: 'ada' });
    expect(answerOfControl({ access_token: jwt({ sub: 'bob' }) }).claims).toEqual({ sub: 'bob' });
  });

  it.each(['opaque', 'a..b', 'a.*.b', '', 5, null])(
    'are undefined for the access token %j',
    (token) => {
      expect(withToken(token)).toHaveProperty('claims', undefined);
    },
  );

  it('are a text if they are not JSON', () => {
    expect(withToken(`e30.${Buffer.from('none').toString('base64url')}.`).claims).toBe('none');
  });
});

it('the response of a control operation has a body and claims, and nothing else', () => {
  expect(answerOfControl({ code: 'c' })).toEqual({
    status: undefined,
    body: { code: 'c' },
    ...NOTHING,
  });
});
