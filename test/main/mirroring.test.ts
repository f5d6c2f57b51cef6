// Mirroring a provider in the window: the confirmations before a request, and the error messages. Over real HTTP on
// loopback; the answers to native dialogs are passed in.

import { afterEach, describe, expect, it } from 'vitest';
import { contract } from '../../src/control/contract.ts';
import { windowContract } from '../../src/control/window-contract.ts';
import { createMirroring } from '../../src/main/mirroring.ts';
import type { NativeQuestion } from '../../src/main/dialogs.ts';
import { createLoopbackServers, json } from '../support/loopback-servers.ts';

const { serve, closeAll } = createLoopbackServers();

afterEach(closeAll);

async function provider(jwks_uri: string): Promise<string> {
  const issuer: string = await serve((request, response) =>
    json({ issuer, token_endpoint: `${issuer}/v1/token`, acr_values_supported: ['2'], jwks_uri })(
      request,
      response,
    ),
  );
  return issuer;
}

/** Mirroring with these answers to native dialogs, and the files that it saved. */
function mirroringWith(goesOn: (message: string) => boolean) {
  const asked: NativeQuestion[] = [];
  const saved: (readonly [name: string, text: string])[] = [];
  const ask = (question: NativeQuestion) => {
    asked.push(question);
    return Promise.resolve(goesOn(question.message));
  };
  const save = (name: string, text: string) => {
    saved.push([name, text]);
    return Promise.resolve({ file: 'mirror.json', opened: true });
  };
  return { asked, saved, ...createMirroring(ask, save) };
}

const KEYS = { keys: [{ kty: 'EC', crv: 'P-256', use: 'sig', kid: '1' }] };
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('behaviour 12.13: keys on another host', () => {
  it('are requested after confirmation, and the mirror is saved as it was shown', async () => {
    let requests = 0;
    const keys = await serve((request, response) => {
      requests += 1;
      json(KEYS)(request, response);
    });
    const issuer = await provider(`${keys}/keys`);
    const { mirror, saveMirror, asked, saved } = mirroringWith(() => true);
    const token = `${base64url({ alg: 'none' })}.${base64url({ shop: 'Berlin' })}.x`;
    expect(await mirror({ issuer, token })).toMatchObject({
      name: `Mirror of ${new URL(issuer).host}`,
      endpoints: [
        { name: 'token', path: '/v1/token' },
        { name: 'jwks', path: '/keys' },
      ],
      metadata: ['acr_values_supported'],
      claims: ['shop'],
      signing_alg: 'ES256',
      notes: [`At the provider, jwks_uri is on ${new URL(keys).host}.`],
    });
    expect(requests).toBe(1);
    expect(asked).toEqual([
      {
        message: `Request the keys from ${new URL(keys).host}?`,
        detail: `${issuer} publishes its keys (jwks_uri) on another host. One GET request is sent there. It contains no sandbox data.`,
        confirm: 'Request',
      },
    ]);
    expect(await saveMirror()).toEqual({ file: 'mirror.json', opened: true });
    expect(saved[0]?.[0]).toBe(`Mirror of ${new URL(issuer).host}`);
    expect(saved[0]?.[1]).toContain('"/v1/token"');
    expect(saved[0]?.[1]).not.toContain('Berlin');
  });

  it('are not requested without confirmation, and no mirror can be saved', async () => {
    let requests = 0;
    const keys = await serve((request, response) => {
      requests += 1;
      json(KEYS)(request, response);
    });
    const issuer = await provider(`${keys}/keys`);
    const { mirror, saveMirror, asked, saved } = mirroringWith(() => false);
    await expect(mirror({ issuer, token: '' })).rejects.toMatchObject({
      message: `${keys}/keys is on another host than the issuer.`,
      data: { field: 'issuer' },
    });
    expect(asked).toHaveLength(1);
    expect(requests).toBe(0);
    expect(await saveMirror()).toEqual({ file: null, opened: false });
    expect(saved).toEqual([]);
  });
});

describe('behaviour 12.13: a provider beyond this machine', () => {
  it('is requested only after confirmation', async () => {
    const { mirror, asked } = mirroringWith(() => false);
    await expect(
      mirror({ issuer: ' https://login.example.com/tenant ', token: '' }),
    ).rejects.toMatchObject({
      message: 'Nothing was requested from login.example.com.',
      data: { field: 'issuer' },
    });
    expect(asked).toEqual([
      {
        message: 'Request the metadata of login.example.com?',
        detail:
          'GET requests for its metadata and keys are sent to login.example.com. They contain no sandbox data.',
        confirm: 'Request',
      },
    ]);
  });
});

describe('behaviour 12.13: an address that is not public', () => {
  // 169.254.0.0/16 is link-local.
  const LINK_LOCAL = 'https://169.254.169.254/';

  it('is connected to only after confirmation, and the refusal mentions no command line flag', async () => {
    const { mirror, asked } = mirroringWith((message) => !message.startsWith('Connect'));
    const message =
      'https://169.254.169.254/.well-known/openid-configuration resolves to 169.254.169.254, a link-local address.';
    await expect(mirror({ issuer: LINK_LOCAL, token: '' })).rejects.toMatchObject({
      message,
      data: { field: 'issuer' },
    });
    expect(asked.slice(1)).toEqual([
      {
        message: 'Connect to 169.254.169.254?',
        detail: `${message}\n\nContinue only if you expect the provider at that address.`,
        confirm: 'Connect',
      },
    ]);
  });

  it('requires confirmation once', async () => {
    // A reserved address of this machine, which refuses connections immediately.
    const { mirror, asked } = mirroringWith(() => true);
    await expect(mirror({ issuer: 'https://0.0.0.0:1/', token: '' })).rejects.toMatchObject({
      message: expect.stringContaining('cannot be reached') as string,
    });
    expect(asked.map(({ message }) => message)).toEqual([
      'Request the metadata of 0.0.0.0:1?',
      'Connect to 0.0.0.0?',
    ]);
  });
});

describe('invalid input', () => {
  it.each([
    ['login.example.com', 'login.example.com is not a URL.'],
    [
      'http://login.example.com/',
      'http://login.example.com/ must begin with https://, or http:// and a loopback address.',
    ],
  ])('the issuer %s is rejected at its field without a dialog', async (issuer, message) => {
    const { mirror, asked } = mirroringWith(() => true);
    await expect(mirror({ issuer, token: '' })).rejects.toMatchObject({
      message,
      data: { field: 'issuer' },
    });
    expect(asked).toEqual([]);
  });

  it('a token that is not a JWT is rejected at its field, and nothing is requested', async () => {
    let requests = 0;
    const issuer = await serve((_, response) => {
      requests += 1;
      response.end();
    });
    const { mirror } = mirroringWith(() => true);
    await expect(mirror({ issuer, token: 'opaque' })).rejects.toMatchObject({
      message: 'The sample token is not a signed JWT: an opaque or encrypted token has no claims.',
      data: { field: 'token' },
    });
    expect(requests).toBe(0);
  });
});

it('behaviour 12.13: a cancelled request ends and does not delay the next one', async () => {
  let reported = () => {};
  const reached = new Promise<void>((done) => {
    reported = done;
  });
  const silent = await serve(() => reported());
  const { mirror } = mirroringWith(() => true);
  const run = new AbortController();
  const first = mirror({ issuer: silent, token: '' }, run.signal);
  await reached;
  run.abort();
  await expect(first).rejects.toMatchObject({ name: 'AbortError' });
  const keys = await serve(json(KEYS));
  const issuer = await provider(`${keys}/keys`);
  expect(await mirror({ issuer, token: '' })).toMatchObject({ signing_alg: 'ES256' });
});

it('behaviour 12.13: mirroring is available only in the window, not in the control API', () => {
  const names = (router: object): readonly string[] =>
    Object.entries(router).flatMap(([name, inner]: [string, object]) =>
      '~orpc' in inner ? [name] : names(inner),
    );
  expect(names(contract).filter((name) => /mirror/i.test(name))).toEqual([]);
  expect(names(contract)).toContain('send');
  expect(names(windowContract)).toContain('mirror');
});
