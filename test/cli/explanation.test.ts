import { describe, expect, test } from 'vitest';
import { explanation } from '../../src/cli/terminal/exchange.ts';
import type { Exchange } from '../../src/control/schemas.ts';
import { exchangeOf } from '../support/exchanges.ts';

describe('an exchange without checks says why there are none', () => {
  const fault: Exchange['fault'] = { id: 'f1', name: 'Server error', what: '503 instead' };
  const why: Exchange['why'] = {
    reason: 'body_too_large',
    check: 'body',
    summary: 'The body is too large',
    detail: null,
    advice: null,
    differs_at: null,
    accepted_by: null,
  };

  test.each([
    [
      'an injected fault responded before validation',
      { fault },
      /\n {2}The request was not evaluated/,
    ],
    ['the endpoint runs no checks', {}, /\n {2}This endpoint runs no checks/],
    [
      'the app rejected a logout token',
      { sent_by: 'server', status: 400 },
      /\n {2}The app did not accept the logout token: it responded with 400\./,
    ],
    [
      'the app did not respond to a logout token',
      { sent_by: 'server', status: 0, cause: 'http://localhost/x redirects.' },
      /\n {2}http:\/\/localhost\/x redirects\./,
    ],
  ] as const)('%s', (_, members, words) => {
    expect(explanation(exchangeOf(members))).toMatch(words);
  });

  test('and only the cause where the request was rejected before the first check', () => {
    const text = explanation(exchangeOf({ status: 413, why }));
    expect(text).not.toContain('no trace');
    expect(text).toContain('The body is too large');
    expect(explanation(exchangeOf({ status: 0 }))).toContain(' got no response in ');
    expect(text).toContain('docs/reference/causes.md#body_too_large');
  });
});
