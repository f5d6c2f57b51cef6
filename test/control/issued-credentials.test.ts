// An exchange names issued credentials by kind and id, and gives the form of the sign-in page as data, so that clients
// need not search for tokens or parse HTML.

import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/control/schemas.ts';
import { authorizePath, redeem, refresh } from '../support/form-calls.ts';
import type { Answer, Harness } from '../support/harness.ts';
import {
  call,
  CREDENTIALS,
  ORDERS,
  sendForm,
  startHarness,
  startSignedIn,
} from '../support/harness.ts';

const numberOf = ({ headers }: Answer) => String(headers['grantbench-exchange']);

const exchangeOf = (harness: Harness, answer: Answer, query = '') =>
  harness.get<Exchange>(`/exchanges/${numberOf(answer)}${query}`);

const authorize = (harness: Harness) =>
  call(harness.url(), 'GET', authorizePath({ audience: ORDERS, scope: 'openid orders:read' }));

const codeOf = ({ headers }: Answer) =>
  new URL(String(headers['location'])).searchParams.get('code') ?? '';

describe('an exchange names the credentials that it issued', () => {
  it('names a code by the id of its record', async () => {
    const harness = await startHarness({ workspace: { settings: { authorize: 'auto' } } });
    const answer = await authorize(harness);
    const { issued, lineage_id } = await exchangeOf(harness, answer);
    expect(issued).toEqual([{ kind: 'code', id: '1.1', lineage_id }]);
    const record = await harness.get('/tokens/1.1?secrets=1');
    expect(record).toMatchObject({ kind: 'code', value: codeOf(answer) });
  });

  it('names the access token, the refresh token and the id_token of one response, in order, without their values, even with secrets', async () => {
    const harness = await startHarness({ workspace: { settings: { authorize: 'auto' } } });
    const answer = await redeem(harness, codeOf(await authorize(harness)));
    for (const query of ['', '?secrets=1']) {
      expect((await exchangeOf(harness, answer, query)).issued).toEqual([
        { kind: 'access_token', id: '1.2', lineage_id: '1' },
        { kind: 'refresh_token', id: '1.3', lineage_id: '1' },
        { kind: 'id_token', id: null, lineage_id: '1' },
      ]);
    }
    const { access_token, refresh_token } = answer.body as Record<string, string>;
    expect(await harness.get('/tokens/1.2?secrets=1')).toMatchObject({ value: access_token });
    expect(await harness.get('/tokens/1.3?secrets=1')).toMatchObject({ value: refresh_token });
  });

  it('names the refresh token that replaces another', async () => {
    const rotation = { refresh_rotation: { enabled: true } };
    const { harness, refresh_token } = await startSignedIn({ workspace: { settings: rotation } });
    const refreshed = await refresh(harness, refresh_token);
    expect((await exchangeOf(harness, refreshed)).issued).toEqual([
      { kind: 'access_token', id: '1.4', lineage_id: '1' },
      { kind: 'refresh_token', id: '1.5', lineage_id: '1' },
    ]);
  });

  it('names the token of a client that acts for itself', async () => {
    const harness = await startHarness();
    await harness.api('PATCH', '/clients/demo-app', { grant_types: ['client_credentials'] });
    const answer = await harness.token({ ...CREDENTIALS, grant_type: 'client_credentials' });
    const { issued, lineage_id } = await exchangeOf(harness, answer);
    expect(issued).toEqual([{ kind: 'access_token', id: `${lineage_id ?? ''}.1`, lineage_id }]);
    const { access_token } = answer.body as Record<string, string>;
    const record = await harness.get(`/tokens/${lineage_id ?? ''}.1?secrets=1`);
    expect(record).toMatchObject({ value: access_token });
  });

  it('names nothing when the request was rejected or reached no endpoint', async () => {
    const harness = await startHarness();
    const refused = await redeem(harness, 'nobody-issued-this');
    expect((await exchangeOf(harness, refused)).issued).toEqual([]);
    const nowhere = await call(harness.url(), 'GET', '/nowhere');
    expect(await exchangeOf(harness, nowhere)).toMatchObject({ issued: [], sign_in: null });
  });

  it('names credentials that a fault withheld from the client', async () => {
    const harness = await startHarness();
    const code = await harness.code();
    await harness.post('/faults', {
      when: 'after',
      effect: { kind: 'answer', status: 503, headers: [], body: '' },
    });
    const answer = await redeem(harness, code);
    expect(answer.status).toBe(503);
    expect((await exchangeOf(harness, answer)).issued).toMatchObject([
      { kind: 'access_token' },
      { kind: 'refresh_token' },
    ]);
  });
});

describe('an exchange contains the form of its sign-in page', () => {
  it('which returns a code when it is sent with the page’s cookie', async () => {
    const harness = await startHarness();
    const page = await authorize(harness);
    const { sign_in } = await exchangeOf(harness, page, '?secrets=1');
    expect(sign_in?.scopes).toEqual(['openid', 'orders:read']);
    const cookie = [page.headers['set-cookie'] ?? []].flat().map((one) => one.split(';', 1)[0]);
    const fields = { grantbench_form: sign_in?.form ?? '', sub: 'ada', decision: 'approve' };
    const headers = { Cookie: cookie.join('; ') };
    const answer = await sendForm(harness.url(), '/authorize', fields, headers);
    expect(codeOf(answer)).toHaveLength(43);
    expect(await exchangeOf(harness, answer)).toMatchObject({
      issued: [{ kind: 'code' }],
      sign_in: null,
    });
  });

  it('only when secrets are requested', async () => {
    const harness = await startHarness();
    const page = await authorize(harness);
    const { sign_in: shown } = await exchangeOf(harness, page, '?secrets=1');
    expect(page.text).toContain(shown?.form);
    expect(await exchangeOf(harness, page)).toMatchObject({ sign_in: { form: '[redacted]' } });
  });
});
