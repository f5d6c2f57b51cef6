// The report of a flow: one self-contained HTML file without secrets or scripts.

import { readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import type { FlowEvent } from '../../src/renderer/views/flow/flow-state.ts';
import {
  FlowReport,
  type FlowFacts,
  type FlowMessage,
} from '../../src/renderer/views/flow/FlowReport.tsx';
import { reportStyle, withoutControls } from '../../src/renderer/report/save-report.ts';
import { messageOf } from '../../src/renderer/views/flow/messages.ts';
import { exchangeOf, type ExchangeMembers } from '../support/exchanges.ts';

// The page's components read the page's address when they are loaded.
vi.hoisted(() => {
  vi.stubGlobal('window', {});
  vi.stubGlobal('location', { hash: '' });
  vi.stubGlobal('localStorage', { getItem: () => null });
});

const renderer = (path: string) =>
  readFileSync(new URL(`../../src/renderer/${path}`, import.meta.url), 'utf8');
const STYLE = reportStyle(
  renderer('ui/theme.css'),
  renderer('exchange/Why.module.css') + renderer('sequence/Sequence.module.css'),
);
const FACTS = {
  title: 'Flow report: Checkout',
  made_at: '2026-03-01T10:00:00.000Z',
  facts: [['Issuer', 'http://localhost:4280']],
  replayed: null,
  newest_only: false,
} as const;
const measure = (text: string) => text.length * 6;

function reported(
  redacted: ExchangeMembers | null,
  event: Partial<Extract<FlowEvent, { kind: 'exchange' }>> = {},
): FlowMessage {
  const request = { ...redacted?.request, body: '{"code":"hush-code-hush-code"}' };
  const held = exchangeOf({ ...redacted, request });
  const whole = {
    id: 1,
    kind: 'exchange',
    step: 'exchange',
    exchange: held,
    verdict: null,
    ...event,
  } as FlowEvent;
  const exchange = redacted === null ? null : exchangeOf(redacted);
  return { event: whole, message: messageOf(whole), exchange };
}

const drawn = (facts: FlowFacts, messages: readonly FlowMessage[]) =>
  renderToStaticMarkup(createElement(FlowReport, { facts, messages, measure }));

const report = (...messages: FlowMessage[]) => drawn(FACTS, messages);

const REFUSED: ExchangeMembers = {
  number: 41,
  status: 400,
  error: 'invalid_grant',
  request: { body: '{"code":"[redacted]"}', headers: [['Content-Type', 'application/json']] },
  response: { reason: 'Bad Request', body: '{"error":"invalid_grant"}' },
  why: {
    reason: 'redirect_uri_differs',
    check: 'redirect_uri',
    summary: 'The redirect URI is not the one the code was issued for.',
    detail: 'redirect_uri differs at character 31',
    advice: 'Send exactly the value used at GET /authorize.',
    differs_at: 30,
    accepted_by: null,
  },
  trace: [
    {
      id: 'redirect_uri',
      rule: 'redirect_uri is identical',
      section: 'spec 4.1.1',
      expected: 'http://localhost:3000/callback',
      got: 'http://localhost:3000/callback/',
      verdict: 'failed',
      tolerated: false,
      note: null,
    },
  ],
};

describe('the report', () => {
  it('contains no control characters, which HTML forbids', () => {
    expect(withoutControls('a\u0000b\u001bc\n')).toBe('a\ufffdb\ufffdc\n');
  });

  it('describes each message: request, response, cause and every check', () => {
    const text = report(reported(REFUSED));
    for (const part of [
      '1. POST /oauth/token',
      '400 invalid_grant',
      'exchange 41',
      'The redirect URI is not the one the code was issued for.',
      'redirect_uri differs at character 31',
      'redirect_uri is identical',
      '<dt>expected</dt><dd>http://localhost:3000/callback</dd>',
      '<span class="visually-hidden">differs from here: </span>/</mark>',
      '<abbr title="docs/specification.md#4-1-1">spec 4.1.1</abbr>',
      'HTTP/1.1 400 Bad Request',
    ]) {
      expect(text).toContain(part);
    }
    const withoutColour = text.replaceAll(/<\/?span[^>]*>/g, '');
    expect(withoutColour).toContain('&quot;code&quot;: &quot;[redacted]&quot;');
  });

  it('marks a tolerated mistake with an explanation at its place, and counts it', () => {
    const [failed] = REFUSED.trace ?? [];
    const passed = { ...failed!, rule: 'The body is well formed', verdict: 'passed' as const };
    const query = { ...passed, rule: 'No credentials in the query', tolerated: true };
    const text = report(reported({ trace: [query, passed] }));
    const [, first = '', second = ''] = text.split(/<li(?=[^>]* data-verdict)/);
    expect(first).toMatch(/^[^>]* data-verdict="tolerated" data-tone="warn"/);
    expect(first).toMatch(/No credentials in the query<.*> tolerated; strict rejects this</s);
    expect(second).toMatch(/^[^>]* data-verdict="passed" data-tone="ok"/);
    expect(second).toMatch(/The body is well formed/);
    expect(text).toContain('All 2 checks passed, 1 of them tolerated');
  });

  it('contains no secret: only redacted text and the shortened code', () => {
    const text = report(reported(REFUSED));
    expect(text).not.toContain('hush-code');
    expect(text).toContain('code hus…de');
  });

  it('loads no resource, runs no script and links nowhere', () => {
    const note = 'the code was spent in exchange #12, as RFC 6749 4.1.2 has it';
    const trace = REFUSED.trace?.map((check) => ({ ...check, section: note, note })) ?? [];
    const text = report(reported({ ...REFUSED, trace }));
    expect(text).toContain('exchange #12');
    expect(text).not.toMatch(
      /<script|<link|<img|<iframe|<button|@import|url\(|\son\w+=|href="(?!#m\d)/,
    );
  });

  it('escapes HTML from requests', () => {
    const nasty = '</pre><script>alert(1)</script>';
    const text = report(
      reported({ ...REFUSED, error: nasty, request: { body: nasty }, response: { body: nasty } }),
    );
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;/pre&gt;&lt;script&gt;');
  });

  it('omits the HTML of a page, which would hide the message', () => {
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

  it('lists and counts the verdicts of deliberate mistakes', () => {
    const verdict = {
      id: 'redirect_slash',
      title: 'Redirect URI with a trailing slash',
      section: 'spec 4.1.1',
      expected: '400 invalid_grant',
      actual: '400 invalid_grant',
      passed: true,
    };
    const failed = { ...verdict, actual: 'no response', passed: false };
    const text = report(reported(REFUSED, { verdict }), reported(REFUSED, { verdict: failed }));
    expect(text).toContain('1 of 2 answered as expected');
    expect(text).toMatch(/ok[^>]*>pass<.*bad[^>]*>fail</s);
    expect(text).toContain('<td class="mono">no response</td>');
    expect(report(reported(REFUSED))).not.toContain('answered as expected');
  });

  it('says whether a replay had the same result, and where it differs', () => {
    const replayed = (failure: NonNullable<FlowFacts['replayed']>['failure']) =>
      drawn({ ...FACTS, replayed: { name: 'Checkout', steps: 7, failure } }, [reported({})]);
    expect(replayed(null)).toContain('7 steps, all as expected.');
    const differences = ['status: expected 303, actual 302'];
    const text = replayed({
      step: 1,
      title: 'Issue a code',
      message: 'it came otherwise',
      differences,
    });
    expect(text).toContain('stopped at step 1 of 7, Issue a code: it came otherwise.');
    expect(text).toContain('<li>status: expected 303, actual 302</li>');
  });

  it('says when it has only the newest messages', () => {
    const result = (newest_only: boolean) => drawn({ ...FACTS, newest_only }, [reported({})]);
    expect(result(true)).toContain('1 newest message · ');
    expect(result(false)).toContain('1 message · ');
  });

  it('draws the diagram as an SVG with a label, its lanes and each message', () => {
    const text = report(reported(REFUSED), reported({}));
    const svg = text.slice(text.indexOf('<svg'), text.indexOf('</figure>'));
    expect(svg).toMatch(/role="img" aria-label="Sequence diagram of 2 messages\./);
    for (const lane of ['App', 'Authorization', 'Token service', 'API']) {
      expect(svg).toContain(`>${lane}<`);
    }
    expect(svg).toContain('>400 invalid_grant<');
    expect(svg).not.toMatch(/NaN|undefined/);
  });

  it('says so when an exchange is no longer kept', () => {
    expect(report(reported(null))).toContain('The sandbox no longer has this exchange');
  });

  it('shows an injected fault and a request without a response', () => {
    const fault = { id: 'f', name: 'Dropped', what: 'Closed the connection.' };
    const text = report(reported({ status: 0, fault }));
    expect(text).toContain('Injected fault');
    expect(text).toContain('Rule: Dropped.');
    expect(text).toContain('No response was sent.');
    expect(text).toMatch(/bad[^>]*>no response</);
  });

  it('describes a code issued directly without the code itself', () => {
    const event: FlowEvent = {
      id: 1,
      kind: 'issue',
      at: '2026-03-01T10:00:00.000Z',
      request: { client_id: 'demo-app', redirect_uri: 'http://localhost:3000/callback' },
      sub: 'ada',
      code: 'hush-code-hush-code',
      redirect_to: 'http://localhost:3000/callback?code=hush-code-hush-code',
      expires_at: '2026-03-01T10:10:00.000Z',
    };
    const text = report({ event, message: messageOf(event), exchange: null });
    expect(text).not.toContain('hush-code');
    expect(text).toContain('without a sign-in');
  });
});

describe('the style of the report', () => {
  it('takes the colours of both themes from the theme file, the dark ones only for a dark colour scheme', () => {
    expect(STYLE).toMatch(/^:root\{.*--bg: #f6f7f9;/s);
    expect(STYLE).toMatch(/prefers-color-scheme:dark\)\{:root\{.*--bg: #0e1014;/s);
    const used = [...STYLE.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name!);
    for (const name of used) expect(STYLE, name).toContain(`${name}:`);
  });
});
