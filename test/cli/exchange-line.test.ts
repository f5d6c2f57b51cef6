import { expect, test } from 'vitest';
import { exchangeRow } from '../../src/cli/terminal/exchange.ts';
import { exchangeLine } from '../../src/cli/terminal/exchange-line.ts';
import type { ExchangeSummary } from '../../src/control/schemas.ts';
import { exchangeSummary } from '../support/exchanges.ts';

const summary = (members: Partial<ExchangeSummary> = {}) =>
  exchangeSummary({ number: 7, at: '2026-11-21T10:02:11.345Z', ...members });

test('a response is one line: sandbox time, request and response', () => {
  expect(exchangeLine(summary(), false)).toBe(
    '10:02:11.345Z #7 POST /oauth/token 200 refresh_token demo-app',
  );
});

test('a rejection ends with its error and its cause', () => {
  const refused = summary({ status: 400, error: 'invalid_grant', cause: 'expired 3 s ago' });
  expect(exchangeLine(refused, false)).toMatch(
    / 400 refresh_token demo-app invalid_grant: expired 3 s ago$/,
  );
});

test('behaviour 8: a fault ends the line, after the cause if there was one', () => {
  const fault = { id: 'a', name: 'lost', what: 'Closed the connection.' };
  expect(exchangeLine(summary({ status: 0, fault }), false)).toMatch(
    / 0 refresh_token demo-app: fault: Closed the connection\.$/,
  );
  const refused = summary({ status: 502, cause: 'expired 3 s ago', fault });
  expect(exchangeLine(refused, false)).toMatch(/: expired 3 s ago; fault: Closed/);
});

test('the query is omitted, since it may contain credentials by mistake', () => {
  const leaky = summary({ path: '/oauth/token?client_secret=demo-secret' });
  expect(exchangeLine(leaky, false)).toContain(' /oauth/token?… ');
});

test('received text cannot control the terminal, forge a line or flood the output', () => {
  const hostile = summary({
    client_id: '\u001b[2J\r\nforged',
    cause: 'a\u009bb',
    path: 'x'.repeat(9000),
  });
  const line = exchangeLine(hostile, false);
  expect(line).toContain('?[2J??forged');
  expect(line).toContain('a?b');
  expect(line.length).toBeLessThan(400);
  expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});

test('in columns a grant has its short name, and an unknown grant_type is printed as sent', () => {
  expect(exchangeRow(summary())).toMatch(/ {2}refresh {3}demo-app {8}app$/);
  expect(exchangeRow(summary({ grant_type: 'implicit' }))).toMatch(
    / {2}implicit {2}demo-app {8}app$/,
  );
  expect(exchangeRow(summary({ grant_type: 'valueOf' }))).toMatch(
    / {2}valueOf {3}demo-app {8}app$/,
  );
  expect(exchangeRow(summary({ grant_type: null }))).toMatch(/ {2}- {9}demo-app {8}app$/);
});

test('in columns a path that is cut keeps its last segment', () => {
  const path = '/realms/sandbox/protocol/openid-connect/token?client_secret=demo-secret';
  expect(exchangeRow(summary({ path }))).toContain('  POST /realms/…/token?…  refresh ');
  expect(exchangeRow(summary({ path: `/${'x'.repeat(50)}` }))).toMatch(/ POST \/x{15}… /);
});

test('behaviour 5.12: the remark of an advisory fits both kinds, as only one is a redundant token request', () => {
  expect(exchangeRow(summary({ advisories: 1 }))).toMatch(/ {2}app {8}advisory$/);
});
