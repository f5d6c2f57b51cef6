// Parallel requests over real HTTP: the rules hold for every response.

import { afterEach, describe, expect, test } from 'vitest';
import type { HttpService, SettingsDraft } from '../support/http-service.ts';
import {
  exchangeParameters,
  postForm,
  REDIRECT_URI,
  refreshParameters,
  SECRET,
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

async function formAnswer(path: string, members: Record<string, string>) {
  const answer = await fetch(http.url + path, {
    method: 'POST',
    body: new URLSearchParams(members),
  });
  return (await answer.json()) as Record<string, string>;
}

function tally(answers: readonly { status: number; body: Record<string, unknown> }[]) {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const { error } = body;
    const key = typeof error === 'string' ? `${status} ${error}` : String(status);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

describe(`${CROWD} parallel refreshes of one token, with rotation`, () => {
  test('behaviour 4: without a grace period one succeeds, and the replay revokes the lineage', async () => {
    const token = await signIn({ refresh_rotation: { enabled: true, grace_seconds: 0 } });
    const answers = await crowd(CROWD, () => refresh(token));
    expect(tally(answers)).toEqual({ '200': 1, '400 invalid_grant': CROWD - 1 });
    const winner = answers.find(({ status }) => status === 200);
    const next = await refresh(String(winner?.body['refresh_token']));
    expect([next.status, next.body['error']]).toEqual([400, 'invalid_grant']);
  });

  test('behaviour 4: within the grace period all succeed, each with its own valid token', async () => {
    const token = await signIn({ refresh_rotation: { enabled: true, grace_seconds: 60 } });
    const answers = await crowd(CROWD, () => refresh(token));
    expect(tally(answers)).toEqual({ '200': CROWD });
    const replacements = answers.map(({ body }) => String(body['refresh_token']));
    expect(new Set(replacements).size).toBe(CROWD);
    expect((await refresh(replacements[CROWD / 2] ?? '')).status).toBe(200);
  });
});

test('behaviour 4.1, 4.7: one of many parallel redemptions of a code succeeds, and the others revoke its tokens', async () => {
  http = await startHttpService({ throttle: UNTHROTTLED });
  const parameters = exchangeParameters(http.url, await http.code());
  const answers = await crowd(CROWD, () => postForm(http.url, parameters));
  expect(tally(answers)).toEqual({ '200': 1, '400 invalid_grant': CROWD - 1 });
});

test('behaviour 9.5: exactly one of many parallel polls with a device code gets tokens', async () => {
  const device = 'urn:ietf:params:oauth:grant-type:device_code';
  http = await startHttpService(
    { throttle: UNTHROTTLED, authorize: 'auto' },
    { grant_types: [device] },
  );
  const client = { client_id: 'demo-app', client_secret: SECRET };
  const { device_code = '' } = await formAnswer('/oauth/device_authorization', client);
  const poll = () => postForm(http.url, { ...client, grant_type: device, device_code });
  expect(tally(await crowd(CROWD, poll))).toEqual({ '200': 1, '400 invalid_grant': CROWD - 1 });
});

test('behaviour 7.18: exactly one of many parallel requests with a request_uri gets a code', async () => {
  http = await startHttpService({ throttle: UNTHROTTLED, authorize: 'auto' });
  const { request_uri = '' } = await formAnswer('/oauth/par', {
    client_id: 'demo-app',
    client_secret: SECRET,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    login_hint: 'ada',
  });
  const visit = (client_id: string) =>
    fetch(`${http.url}/authorize?${new URLSearchParams({ client_id, request_uri }).toString()}`, {
      redirect: 'manual',
    });
  const codeOf = ({ headers }: Response) =>
    /[?&]code=([\w-]+)/.exec(headers.get('location') ?? '')?.[1] ?? null;
  expect(codeOf(await visit('other-app'))).toBeNull();
  const answers = await crowd(CROWD, () => visit('demo-app'));
  expect(answers.map(codeOf).filter((code) => code !== null)).toHaveLength(1);
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
