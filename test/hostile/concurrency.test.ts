// Parallel requests over real HTTP: the rules hold for every response.

import { afterEach, expect, test } from 'vitest';
import type { HttpService, SettingsDraft } from '../support/http-service.ts';
import {
  exchangeParameters,
  postForm,
  refreshParameters,
  startHttpService,
} from '../support/http-service.ts';

const CROWD = 120;
const UNTHROTTLED = { mode: 'off' };

let http: HttpService;
afterEach(async () => {
  await http.stop();
  expect(http.faults).toEqual([]);
});

async function signIn(settings: SettingsDraft): Promise<string> {
  http = await startHttpService({ throttle: UNTHROTTLED, ...settings });
  const { body } = await postForm(http.url, exchangeParameters(http.url, await http.code()));
  return String(body['refresh_token']);
}

/** Sends the requests over a limited number of connections, each as soon as the one before it is answered. */
async function crowd<T>(count: number, ask: () => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  let left = count;
  const worker = async () => {
    while (left-- > 0) answers.push(await ask());
  };
  await Promise.all(Array.from({ length: 40 }, worker));
  return answers;
}

const refresh = (token: string) => postForm(http.url, refreshParameters(token));

function tally(answers: readonly { status: number; body: Record<string, unknown> }[]) {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const { error } = body;
    const key = typeof error === 'string' ? `${status} ${error}` : String(status);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

test('behaviour 4.1, 4.7: one of many parallel redemptions of a code succeeds, and the others revoke its tokens', async () => {
  http = await startHttpService({ throttle: UNTHROTTLED });
  const parameters = exchangeParameters(http.url, await http.code());
  const answers = await crowd(CROWD, () => postForm(http.url, parameters));
  expect(tally(answers)).toEqual({ '200': 1, '400 invalid_grant': CROWD - 1 });
});

test('behaviour 5: of many parallel refreshes of a token, exactly the limit is accepted', async () => {
  const limit = 30;
  const token = await signIn({ throttle: { mode: 'enforce', limit, window_seconds: 60 } });
  const answers = await crowd(CROWD, () => refresh(token));
  expect(tally(answers)).toEqual({ '200': limit, '429 too_many_requests': CROWD - limit });
});

test('behaviour 3: a client deleted while its tokens are used is unknown from then on', async () => {
  const token = await signIn({});
  let asked = 0;
  const answers = await crowd(CROWD, () => {
    asked += 1;
    if (asked === CROWD / 2) http.service.registry.clients.remove('demo-app');
    return refresh(token);
  });
  const { 200: answered = 0, '401 invalid_client': unknown = 0, ...others } = tally(answers);
  expect(others).toEqual({});
  // Requests sent before the deletion may succeed; later ones must not.
  expect(unknown).toBeGreaterThanOrEqual(CROWD / 2 + 1);
  expect(answered).toBeGreaterThan(0);
  expect((await refresh(token)).status).toBe(401);
});
