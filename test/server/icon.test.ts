// The icon that browsers request on their own, which is therefore not an exchange.

import { expect, it } from 'vitest';
import { sharedHttpService } from '../support/http-service.ts';
import { ask } from '../support/token-endpoints.ts';

const http = await sharedHttpService();

it('a request for the icon is answered with a cacheable response and not captured', async () => {
  const { status, headers, text } = await ask(http.url, '/favicon.ico');
  expect([status, text]).toEqual([204, '']);
  expect(headers.get('cache-control')).toBe('max-age=86400');
  expect((await ask(http.url, '/favicon.ico', { method: 'HEAD' })).status).toBe(204);
  expect(http.newest()).toBeUndefined();
});

it('a request that is not for the icon is evaluated and captured', async () => {
  expect((await ask(http.url, '/favicon.ico', { method: 'POST' })).status).toBe(404);
  expect(http.newest()?.status).toBe(404);
  expect((await ask(http.url, '/favicon.png')).status).toBe(404);
});
