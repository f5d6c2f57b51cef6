// Requests of the demo client at other endpoints than the token endpoint.

import type { Answer, Harness } from './harness.ts';
import { call, CREDENTIALS } from './harness.ts';

export const form = (
  harness: Harness,
  path: string,
  parameters: Record<string, string>,
): Promise<Answer> =>
  call(harness.url(), 'POST', path, {
    raw: new URLSearchParams({ ...CREDENTIALS, ...parameters }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });

export const userinfo = (harness: Harness, token: string, path = '/userinfo'): Promise<Answer> =>
  call(harness.url(), 'GET', path, { headers: { Authorization: `Bearer ${token}` } });
