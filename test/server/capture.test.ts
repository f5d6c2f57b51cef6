// Captured exchanges are bounded by the memory they retain: bodies, headers, traces, and the objects these refer to.

import { expect, test } from 'vitest';
import { OAuthError } from '../../src/core/checks/errors.ts';
import { createEvaluation, fail, pass } from '../../src/core/checks/trace.ts';
import type { CapturedExchange } from '../../src/server/capture.ts';
import { createCapture } from '../../src/server/capture.ts';

function exchange(number: number, members: Partial<CapturedExchange> = {}): CapturedExchange {
  return {
    sent_by: 'app',
    number,
    endpoint: 'token',
    at: 0,
    clock_frozen: false,
    clock_offset: 0,
    started: 0,
    duration_ms: 1,
    method: 'POST',
    target: '/oauth/token',
    http_version: '1.1',
    ip: '127.0.0.1',
    request_headers: [],
    request_body: Buffer.alloc(0),
    request_bytes: 0,
    status: 200,
    ...{
      response_headers: [],
      response_body: '',
      error: null,
      evaluation: null,
      claimed: null,
      fault: null,
      held: null,
      retry_of: null,
      login: null,
    },
    ...members,
  };
}

const captured = (max_bytes: number, max_exchanges = 100) =>
  createCapture(
    () => ({ max_exchanges, max_bytes }),
    () => undefined,
  );

function bytesOf(members: Partial<CapturedExchange>): number {
  const capture = captured(Infinity);
  capture.add(exchange(1));
  const before = capture.bytes;
  capture.add(exchange(2, members));
  return capture.bytes - 2 * before;
}

test('the oldest exchanges are removed first, by count and by bytes', () => {
  const capture = captured(50_000, 3);
  for (const number of [1, 2, 3, 4]) capture.add(exchange(number));
  expect([...capture.newestFirst()].map(({ number }) => number)).toEqual([4, 3, 2]);
  capture.add(exchange(5, { request_body: Buffer.alloc(49_200) }));
  expect([...capture.newestFirst()].map(({ number }) => number)).toEqual([5]);
  expect(capture.bytes).toBeLessThanOrEqual(50_000);
});

test('an exchange over the total limit is reported but not stored', () => {
  const numbers: number[] = [];
  const capture = createCapture(
    () => ({ max_exchanges: 10, max_bytes: 50_000 }),
    ({ number }) => numbers.push(number),
  );
  capture.add(exchange(1, { request_body: Buffer.alloc(50_001) }));
  expect([capture.size, capture.bytes, capture.total, numbers]).toEqual([0, 0, 1, [1]]);
});

test('a body of two-byte characters counts two bytes for each', () => {
  const ascii = bytesOf({ response_body: 'x'.repeat(10_000) });
  expect(bytesOf({ response_body: '€'.repeat(10_000) }) - ascii).toBe(10_000);
});

test('headers and the texts of a trace are counted', () => {
  expect(bytesOf({ request_headers: ['A', 'x'.repeat(9000)] })).toBeGreaterThan(9000);
  const evaluation = createEvaluation(1);
  const empty = bytesOf({ evaluation });
  pass(evaluation, 'pkce', { got: 'x'.repeat(1000) });
  fail(evaluation, new OAuthError('client_unknown', { got: 'y'.repeat(1000) }));
  expect(bytesOf({ evaluation }) - empty).toBeGreaterThan(3000);
});

test('the total stays consistent when a stored record changes', () => {
  const capture = captured(Infinity);
  const evaluation = createEvaluation(1);
  capture.add(exchange(1, { evaluation }));
  const filed = capture.bytes;
  pass(evaluation, 'pkce', { got: 'x'.repeat(1000) });
  expect(capture.bytes).toBe(filed);
  capture.add(exchange(1));
  expect([capture.size, capture.bytes < filed]).toEqual([1, true]);
  capture.clear();
  expect([capture.size, capture.bytes]).toEqual([0, 0]);
});
