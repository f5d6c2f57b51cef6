// docs/guides/https.md, behaviour 15: moving the running server to another port or host, or to HTTPS.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerState } from '../../src/control/schemas.ts';
import { authorizePath, userinfo } from '../support/form-calls.ts';
import type { Harness } from '../support/harness.ts';
import { call, expectError, startHarness, temporaryFolder } from '../support/harness.ts';
import { callSecurely, makeCertificate } from '../support/https.ts';
import { takenPort } from '../support/taken-port.ts';

const move = (harness: Harness, change: object) => harness.api('POST', '/server/start', change);

/** The former address still responds, and the state is unchanged. */
async function expectUnmoved(harness: Harness, before: ServerState): Promise<void> {
  expect(await harness.get<ServerState>('/server')).toEqual(before);
  expect((await call(harness.url(), 'GET', '/livez')).status).toBe(200);
}

describe('behaviour 15.1: HTTPS', () => {
  it('is switched on with a generated certificate, and off again', async () => {
    const certificate_folder = await temporaryFolder();
    const harness = await startHarness({ engine: { certificate_folder } });
    const { port } = harness.engine.server();
    const secure = await harness.post<ServerState>('/server/start', { https: true });
    expect(secure).toMatchObject({
      state: 'running',
      https: true,
      port,
      issuer: `https://localhost:${port}`,
      certificate: join(certificate_folder, 'https', 'certificate.pem'),
    });
    const ca = await readFile(secure.certificate ?? '', 'utf8');
    const metadata = await callSecurely(
      `https://localhost:${port}/.well-known/oauth-authorization-server`,
      ca,
    );
    expect(JSON.parse(metadata.text)).toMatchObject({ issuer: secure.issuer });
    const plain = await harness.post<ServerState>('/server/start', { https: false });
    expect(plain).toMatchObject({ https: false, certificate: null });
    expect(plain.issuer).toBe(`http://localhost:${port}`);
    expect((await call(harness.url(), 'GET', '/livez')).status).toBe(200);
  });

  it('is switched on with the certificate given at start', async () => {
    const tls = { ...(await makeCertificate()), file: '/certificates/own.pem' };
    const harness = await startHarness({ engine: { tls } });
    await harness.post('/server/start', { https: false });
    const { port } = harness.engine.server();
    expect(await harness.post('/server/start', { https: true })).toMatchObject({
      certificate: '/certificates/own.pem',
    });
    expect((await callSecurely(`https://localhost:${port}/livez`, tls.cert)).status).toBe(200);
  });

  it('a token of the former issuer is rejected, and the trace says why', async () => {
    const harness = await startHarness({ engine: { certificate_folder: await temporaryFolder() } });
    const { port } = harness.engine.server();
    const { access_token } = await harness.signIn();
    await harness.post('/server/start', { https: true });
    await harness.post('/server/start', { https: false, port });
    expect((await userinfo(harness, access_token)).status).toBe(200);
    await harness.post('/server/start', { port: 0 });
    expect((await userinfo(harness, access_token)).status).toBe(401);
    const items = await harness.list<{ cause: string }>('/exchanges');
    expect(items[0]?.cause).toBe(
      `iss is http://localhost:${port}, this issuer is ${harness.engine.server().issuer}`,
    );
  });

  it('behaviour 15.2: is rejected without a certificate, and the server continues unchanged', async () => {
    const harness = await startHarness();
    const before = await harness.get<ServerState>('/server');
    const message = `HTTPS needs a certificate, and this sandbox was started without one. The server is still at ${before.issuer}.`;
    expectError(await move(harness, { https: true }), 409, 'conflict', 'https', message);
    await expectUnmoved(harness, before);
  });

  it('behaviour 15.2: is rejected with a folder that cannot be written, and the server continues unchanged', async () => {
    const file = join(await temporaryFolder(), 'no-folder');
    await writeFile(file, '');
    const harness = await startHarness({ engine: { certificate_folder: file } });
    const before = await harness.get<ServerState>('/server');
    const message = new RegExp(`^The certificate cannot be saved in ${file}/https: .*still at `);
    expectError(await move(harness, { https: true }), 409, 'conflict', 'https', message);
    await expectUnmoved(harness, before);
  });
});

describe('behaviour 15.2: the host', () => {
  it('behaviour 15.1: can be another address of this machine, and loopback again', async () => {
    const harness = await startHarness();
    const moved = await harness.post<ServerState>('/server/start', { host: '127.0.0.2' });
    expect(moved).toMatchObject({ state: 'running', host: '127.0.0.2' });
    const { port } = moved;
    expect((await call(`http://127.0.0.2:${port}`, 'GET', '/livez')).status).toBe(200);
    await expect(call(`http://127.0.0.1:${port}`, 'GET', '/livez')).rejects.toThrow();
    expect(await harness.post('/server/start', { host: null })).toMatchObject({ host: null, port });
    expect((await call(harness.url(), 'GET', '/livez')).status).toBe(200);
  });

  it('behaviour 7.5: the sign-in page has its aids for testers only where no other machine can reach it', async () => {
    const harness = await startHarness();
    const hasAids = async () => {
      const { status, text } = await call(harness.url(), 'GET', authorizePath());
      expect(status).toBe(200);
      return text.includes('Someone new');
    };
    expect(await hasAids()).toBe(true);
    await harness.post('/server/start', { host: '0.0.0.0' });
    expect(await hasAids()).toBe(false);
    await harness.api('PATCH', '/settings', { sign_in_page: { extras: 'on' } });
    expect(await hasAids()).toBe(true);
  });

  it('is rejected when it is not of this machine, and the server continues unchanged', async () => {
    const harness = await startHarness();
    const before = await harness.get<ServerState>('/server');
    const message = `The host 203.0.113.1 is not an address of this machine. The server is still at ${before.issuer}.`;
    expectError(await move(harness, { host: '203.0.113.1' }), 409, 'conflict', 'host', message);
    await expectUnmoved(harness, before);
  });

  it('is rejected when its port is in use, and the server continues unchanged', async () => {
    const harness = await startHarness();
    const before = await harness.get<ServerState>('/server');
    const port = await takenPort('127.0.0.2');
    const message = new RegExp(`^Port ${port} is already in use.* still at `);
    const answer = await move(harness, { host: '127.0.0.2', port });
    expectError(answer, 409, 'conflict', 'port', message);
    await expectUnmoved(harness, before);
  });

  it('the state contains the error when the stopped server fails to start', async () => {
    const harness = await startHarness({ start: false });
    const message = 'The host 203.0.113.1 is not an address of this machine.';
    expectError(await move(harness, { host: '203.0.113.1' }), 409, 'conflict', 'host', message);
    expect(await harness.get('/server')).toMatchObject({
      state: 'failed',
      host: '203.0.113.1',
      problem: { code: 'cannot_listen', message, free_port: null },
    });
    expect(await harness.post('/server/start', { host: null })).toMatchObject({ state: 'running' });
  });
});
