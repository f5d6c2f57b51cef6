// Behaviour 2, lifetimes and which one wins.

import { describe, expect, test } from 'vitest';
import { client, createTestService, START } from '../support/core.ts';

test('behaviour 2: a day for access tokens, 30 days for refresh tokens, 600 s for codes by default', () => {
  expect(createTestService().service.settings().lifetimes).toEqual({
    access_token: 86_400,
    refresh_token: 2_592_000,
    refresh_token_idle: null,
    session: 86_400,
    code: 600,
  });
});

describe('expires_in of the access token (spec 8.4)', () => {
  const withClient = (access_token_expires_in: number | null) =>
    createTestService({
      settings: { lifetimes: { access_token: 3000 } },
      clients: [client({ access_token_expires_in })],
    });

  test('behaviour 2: the workspace decides where nobody else does', async () => {
    expect((await withClient(null).signIn()).expires_in).toBe(3000);
  });

  test('behaviour 2: the client overrides the workspace', async () => {
    expect((await withClient(200).signIn()).expires_in).toBe(200);
  });

  test('behaviour 2: one issued code overrides the client', async () => {
    const { signIn } = withClient(200);
    expect((await signIn({ access_token_expires_in: 10 })).expires_in).toBe(10);
    expect((await signIn()).expires_in).toBe(200);
  });

  test('behaviour 2: the override of a code is for its exchange, not for the refreshes after it', async () => {
    const { signIn, refresh } = withClient(200);
    const { refresh_token } = await signIn({ access_token_expires_in: 10 });
    expect((await refresh(refresh_token)).answer?.expires_in).toBe(200);
  });

  test('behaviour 2: a changed setting holds from the next token on', async () => {
    const { signIn, refresh, configure } = withClient(null);
    const { refresh_token } = await signIn();
    configure({ lifetimes: { access_token: 7 } });
    expect((await refresh(refresh_token)).answer?.expires_in).toBe(7);
  });
});

test('behaviour 2: codes and refresh tokens live as long as the settings say', async () => {
  const { signIn, issueCode, stores } = createTestService({
    settings: { lifetimes: { code: 5, refresh_token: 50 } },
  });
  const { code, refresh_token } = await signIn();
  expect(code.expires_at).toBe(START + 5000);
  expect((await stores.findRefreshToken(refresh_token, START))?.expires_at).toBe(START + 50_000);
  expect((await issueCode({ code_expires_in: 9 })).expires_at).toBe(START + 9000);
});
