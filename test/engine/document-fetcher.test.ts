// The port of core that fetches documents of apps on this machine (behaviour 1.14), against loopback servers.

import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createDocumentFetcher } from '../../src/engine/provider/documents.ts';
import { createLoopbackServers, json } from '../support/loopback-servers.ts';

const { serve, closeAll } = createLoopbackServers();
afterEach(closeAll);

const LIMITS = { most_bytes: 1024, timeout_ms: 3000 };
const fetched = async (answer: RequestListener, limits: Partial<typeof LIMITS> = {}) => {
  const url = await serve(answer);
  const document = await createDocumentFetcher(() => [])(url, { ...LIMITS, ...limits });
  return 'problem' in document ? document.problem.replace(url, 'URL') : document;
};

const JWKS = { keys: [] };
const withHeaders =
  (headers: Record<string, string>): RequestListener =>
  (_, response) =>
    response.writeHead(200, headers).end(JSON.stringify(JWKS));

describe('behaviour 1.14: how long a document is fresh', () => {
  it.each([
    [{}, 60],
    [{ 'Cache-Control': 'max-age=300' }, 300],
    [{ 'Cache-Control': 'public, Max-Age=300', Age: '100' }, 200],
    [{ 'Cache-Control': 'max-age=300', Age: '400' }, 0],
    [{ 'Cache-Control': 'max-age=99999999' }, 86_400],
    [{ 'Cache-Control': 'no-store' }, 0],
    [{ 'Cache-Control': 'max-age=300, no-cache' }, 0],
    [{ 'Cache-Control': 'max-age=x' }, 60],
    [{ 'Cache-Control': 'max-age=300', Age: 'x' }, 0],
  ])('%j: %i s', async (headers, seconds) => {
    expect(await fetched(withHeaders(headers as Record<string, string>))).toEqual({
      value: JWKS,
      fresh_ms: seconds * 1000,
    });
  });
});

it('behaviour 1.14: the request is a GET without cookies and credentials', async () => {
  const seen: unknown[] = [];
  await fetched((request, response) => {
    const { method, headers } = request;
    seen.push(method, Object.keys(headers).sort());
    json(JWKS)(request, response);
  });
  expect(seen).toEqual(['GET', ['accept', 'connection', 'host']]);
});

describe('behaviour 1.14: what is not read', () => {
  it.each<[string, RequestListener, string]>([
    [
      'a redirect',
      (_, response) => response.writeHead(302, { Location: '/x' }).end(),
      'redirects to /x; redirects are not followed.',
    ],
    ['an error', json({}, 503), 'responds with status 503, not 200.'],
    ['a list', json([]), 'responds with JSON that is not an object.'],
    ['too much', json({ x: 'x'.repeat(1024) }), 'responds with more than 1 KiB.'],
    ['HTML', (_, response) => response.end('<!doctype html>'), 'responds with HTML, not JSON.'],
  ])('%s', async (_, answer, rule) => {
    expect(await fetched(answer)).toBe(`URL/ ${rule}`);
  });

  it('a response that takes too long', async () => {
    const problem = await fetched(() => undefined, { timeout_ms: 50 });
    expect(problem).toBe('URL/ did not respond completely within 0.05 seconds.');
  });

  it.each([
    'http://192.0.2.1/',
    'https://keys.example/',
    'http://u:p@localhost/',
    'ftp://localhost/',
    'x',
  ])('%s, which is not on this machine or no URL for it', async (url) => {
    expect(await createDocumentFetcher(() => [])(url, LIMITS)).toHaveProperty('problem');
  });

  it('a port of the sandbox', async () => {
    const url = await serve(json(JWKS));
    const port = Number(new URL(url).port);
    expect(await createDocumentFetcher(() => [port])(url, LIMITS)).toEqual({
      problem: `${url} is on a port of this sandbox.`,
    });
    expect(await createDocumentFetcher(() => [80])('http://localhost/', LIMITS)).toEqual({
      problem: 'http://localhost/ is on a port of this sandbox.',
    });
  });

  it('the ninth document at once', async () => {
    const waiting: (() => void)[] = [];
    const url = await serve((request, response) => {
      waiting.push(() => {
        json(JWKS)(request, response);
      });
      if (waiting.length === 8) waiting.forEach((answer) => answer());
    });
    const fetchDocument = createDocumentFetcher(() => []);
    const all = Array.from({ length: 9 }, () => fetchDocument(url, LIMITS));
    const documents = await Promise.all(all);
    expect(documents.filter((one) => 'value' in one)).toHaveLength(8);
    expect(documents.at(-1)).toEqual({ problem: `${url} was not read: 8 others are being read.` });
  });
});
