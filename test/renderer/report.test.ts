// The report of a flow: one HTML file that stands for itself, without secrets, without scripts.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FlowEvent } from '../../src/renderer/views/flow/flow-state.ts';
import { html, raw } from '../../src/renderer/views/flow/report/html-text.ts';
import {
  reportDocument,
  type ReportFacts,
} from '../../src/renderer/views/flow/report/report-document.ts';
import type { ReportedMessage } from '../../src/renderer/views/flow/report/report-message.ts';
import { reportStyle } from '../../src/renderer/views/flow/report/report-style.ts';
import { messageOf } from '../../src/renderer/views/flow/sequence/message.ts';
import { exchangeOf, type ExchangeMembers } from '../support/exchanges.ts';

const STYLE = reportStyle(
  readFileSync(new URL('../../src/renderer/ui/theme.css', import.meta.url), 'utf8'),
);
const FACTS = {
  title: 'Flow report: Checkout',
  made_at: '2026-03-01T10:00:00.000Z',
  facts: [['Issuer', 'http://localhost:4280']],
  replayed: null,
} as const;
const OPTIONS = { style: STYLE, measure: (text: string) => text.length * 6 };

function reported(
  redacted: ExchangeMembers | null,
  event: Partial<Extract<FlowEvent, { kind: 'exchange' }>> = {},
): ReportedMessage {
  const request = { ...redacted?.request, body: '{"code":"hush-code-hush-code"}' };
  const held = exchangeOf({ ...redacted, request });
  const whole = {
    ...{ id: 1, kind: 'exchange', step: 'exchange', exchange: held, verdict: null },
    ...event,
  } as FlowEvent;
  const exchange = redacted === null ? null : exchangeOf(redacted);
  return { event: whole, message: messageOf(whole), exchange };
}

const report = (...messages: ReportedMessage[]) => reportDocument(FACTS, messages, OPTIONS);

const REFUSED: ExchangeMembers = {
  number: 41,
  status: 400,
  error: 'invalid_grant',
  request: { body: '{"code":"[redacted]"}', headers: [['Content-Type', 'application/json']] },
  response: { reason: 'Bad Request', body: '{"error":"invalid_grant"}' },
  why: {
    check: 'redirect_uri',
    summary: 'The redirect URI is not the one the code was issued for.',
    detail: 'redirect_uri differs at character 31',
    advice: 'Send exactly the value used at GET /authorize.',
    differs_at: 30,
  },
  trace: [
    {
      id: 'redirect_uri',
      rule: 'redirect_uri is identical',
      section: 'spec 4.1.1',
      expected: 'http://localhost:3000/callback',
      got: 'http://localhost:3000/callback/',
      verdict: 'failed',
      note: null,
    },
  ],
};

describe('HTML as text', () => {
  it('escapes what is put into it, keeps what is HTML, and leaves nothing for null', () => {
    const list = ['<b>', '"'].map((text) => html`<i title="${text}">${text}</i>`);
    expect(html`<p>${'<&>'}${list}${null}${7}${raw('<hr>')}</p>`.html).toBe(
      '<p>&lt;&amp;&gt;<i title="&lt;b&gt;">&lt;b&gt;</i><i title="&quot;">&quot;</i>7<hr></p>',
    );
  });

  it('has no control characters, which HTML may not hold', () => {
    expect(html`${'a\u0000b\u001bc\n'}`.html).toBe('a\ufffdb\ufffdc\n');
  });
});

describe('the report', () => {
  it('tells each message: request, response, cause and every check', () => {
    const text = report(reported(REFUSED));
    for (const part of [
      '1. POST /oauth/token',
      '400 invalid_grant',
      'exchange 41',
      'The redirect URI is not the one the code was issued for.',
      'redirect_uri differs at character 31',
      'redirect_uri is identical',
      'expected: http://localhost:3000/callback<',
      'got: http://localhost:3000/callback/<',
      '<abbr title="docs/specification.md#4-1-1">spec 4.1.1</abbr>',
      '&quot;code&quot;: &quot;[redacted]&quot;',
      'HTTP/1.1 400 Bad Request',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('holds no secret: only what the engine told without them, and the short form of a code', () => {
    const text = report(reported(REFUSED));
    expect(text).not.toContain('hush-code');
    expect(text).toContain('code hus…de');
  });

  it('fetches nothing and runs nothing, and its policy says so', () => {
    const text = report(reported(REFUSED));
    expect(text).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(text).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\son\w+=|href="(?!#)/);
  });

  it('takes nothing that came from a request for HTML', () => {
    const nasty = '</pre><script>alert(1)</script>';
    const text = report(
      reported({ ...REFUSED, error: nasty, request: { body: nasty }, response: { body: nasty } }),
    );
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;/pre&gt;&lt;script&gt;');
  });

  it('leaves a page out: it would bury the message', () => {
    const body = '<form><input value="token of the form"></form>';
    const text = report(
      reported({
        method: 'GET',
        path: '/authorize',
        response: { headers: [['Content-Type', 'text/html']], body },
      }),
    );
    expect(text).toContain('[an HTML page of 46 bytes]');
    expect(text).not.toContain('token of the form');
  });

  it('lists the verdicts of what was wrong on purpose, and counts them', () => {
    const verdict = {
      mistake: 'redirect_slash',
      title: 'Redirect URI with a trailing slash',
      expected: { status: 400, error: 'invalid_grant', section: 'spec 4.1.1' },
      got: { status: 400, error: 'invalid_grant' },
      came: true,
    };
    const failed = { ...verdict, got: { status: 0, error: null }, came: false };
    const text = report(reported(REFUSED, { verdict }), reported(REFUSED, { verdict: failed }));
    expect(text).toContain('1 of 2 answered as announced');
    expect(text).toMatch(/data-tone="ok">pass<.*data-tone="bad">fail</s);
    expect(text).toContain('<td class="mono">no response</td>');
    expect(report(reported(REFUSED))).not.toContain('answered as announced');
  });

  it('tells whether a replay came to the same, and where not', () => {
    const entry = { step: 'code', mistake: null, came: { status: 303, error: null } } as const;
    const told = (differences: ReportFacts['replayed']) =>
      reportDocument({ ...FACTS, replayed: differences }, [reported({})], OPTIONS);
    expect(told({ steps: 7, differences: [] })).toContain('7 steps, all as when it was saved.');
    const now = { status: 302, error: 'access_denied' };
    const text = told({ steps: 7, differences: [{ entry, now }] });
    expect(text).toContain('1 of 7 steps came out differently.');
    expect(text).toContain('<b>Issue a code:</b> 302 access_denied instead of 303');
  });

  it('draws the diagram as an SVG with a name, its lanes and each message', () => {
    const text = report(reported(REFUSED), reported({}));
    const svg = text.slice(text.indexOf('<svg'), text.indexOf('</svg>'));
    expect(svg).toMatch(/role="img"\s+aria-label="Sequence diagram of 2 messages;/);
    for (const lane of ['App', 'Authorization', 'Token endpoint', 'API']) {
      expect(svg).toContain(`>${lane}<`);
    }
    expect(svg).toContain('>400 invalid_grant<');
    expect(svg).not.toMatch(/NaN|undefined/);
  });

  it('says so when an exchange is no longer kept', () => {
    expect(report(reported(null))).toContain('The exchange is no longer kept by the service');
  });

  it('shows a fault on demand, and a request without an answer', () => {
    const fault = { id: 'f', name: 'Dropped', what: 'Closed the connection.' };
    const text = report(reported({ status: 0, fault }));
    expect(text).toContain('Fault on demand: Dropped');
    expect(text).toContain('No response was sent.');
    expect(text).toContain('data-tone="bad">no response<');
  });

  it('tells a code that control issued without the code itself', () => {
    const event: FlowEvent = {
      id: 1,
      kind: 'issue',
      at: '2026-03-01T10:00:00.000Z',
      request: { client_id: 'demo-app', redirect_uri: 'http://localhost:3000/callback' },
      sub: 'ada',
      code: 'hush-code-hush-code',
      redirect_to: 'http://localhost:3000/callback?code=hush-code-hush-code',
      expires_at: '2026-03-01T10:10:00.000Z',
      lineage_id: 'l',
    };
    const text = report({ event, message: messageOf(event), exchange: null });
    expect(text).not.toContain('hush-code');
    expect(text).toContain('in place of a sign-in');
  });
});

describe('the style of the report', () => {
  it('has the colours of both themes from the one theme file, dark on a dark screen only', () => {
    expect(STYLE).toMatch(/^:root\{.*--bg: #f6f7f9;/s);
    expect(STYLE).toMatch(/prefers-color-scheme:dark\)\{:root\{.*--bg: #0e1014;/s);
    const used = [...STYLE.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name!);
    for (const name of used) expect(STYLE, name).toContain(`${name}:`);
  });
});
