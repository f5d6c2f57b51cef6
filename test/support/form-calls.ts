// Requests of the demo client at other endpoints than the token endpoint.

import type { Answer, Harness } from './harness.ts';
import { call, CREDENTIALS, sendForm } from './harness.ts';

export const form = (
  harness: Harness,
  path: string,
  parameters: Record<string, string>,
): Promise<Answer> => sendForm(harness.url(), path, { ...CREDENTIALS, ...parameters });

export const userinfo = (harness: Harness, token: string, path = '/userinfo'): Promise<Answer> =>
  call(harness.url(), 'GET', path, { headers: { Authorization: `Bearer ${token}` } });
