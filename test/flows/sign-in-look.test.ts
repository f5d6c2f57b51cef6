// The look that the settings give the pages on which a user signs in.

import { describe, expect, it } from 'vitest';
import { authorizePath } from '../support/form-calls.ts';
import { resetHarness } from '../support/shared-harness.ts';

const PNG = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n rest', 'latin1').toString('base64')}`;
const SIGN_IN = authorizePath({ scope: 'openid' });

const shared = resetHarness();

async function pageAt(path: string, sign_in_page?: object) {
  const { engine, patch } = shared();
  if (sign_in_page !== undefined) await patch('/settings', { sign_in_page });
  const { issuer } = engine.server();
  const response = await fetch(`${issuer}${path}`);
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  return { html: await response.text(), policy: response.headers.get('content-security-policy') };
}

describe('behaviour 7.5: the sign-in page', () => {
  it.each([SIGN_IN, '/device'])('has a name, a colour and a logo: %s', async (path) => {
    const look = { name: 'Acme <b>', color: '#ffcc00', logo: PNG };
    const { html, policy } = await pageAt(path, look);
    expect(html).toContain('<b>Acme &lt;b&gt;</b> sandbox');
    expect(html).toContain(`<img src="${PNG}" alt="" />`);
    expect(html).toContain('background:#ffcc00;color:#000');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('img-src data:;');
  });

  it('has white text on a dark colour, and the initial of its name without a logo', async () => {
    const look = { name: '🔑 Keys', color: '#1d4ed8' };
    const { html } = await pageAt(SIGN_IN, look);
    expect(html).toContain('<i aria-hidden="true">🔑</i>');
    expect(html).toContain('background:#1d4ed8;color:#fff');
  });

  it('is that of Grantbench by default, and shows no image', async () => {
    const { html, policy } = await pageAt(SIGN_IN);
    expect(html).toContain('<b>Grantbench</b> sandbox');
    expect(policy).not.toContain('img-src');
  });

  it.each([
    ['name', ''],
    ['name', 'n'.repeat(61)],
    ['color', 'red'],
    ['color', '#12345'],
    ['color', '#123456;}'],
    ['logo', 'https://cdn.example/logo.png'],
    ['logo', 'data:image/svg+xml;base64,PHN2Zz4='],
    ['logo', `data:image/png;base64,${Buffer.from('GIF89a').toString('base64')}`],
    ['logo', `${PNG}"onerror`],
    ['logo', `${PNG}${'A'.repeat(65_536)}`],
  ])('rejects a %s, naming the member', async (member, value) => {
    const look = { [member]: value };
    const { status, body } = await shared().api('PATCH', '/settings', { sign_in_page: look });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain(`sign_in_page.${member}`);
  });
});
