// Saves a report as one HTML document with its styles, without scripts and without references. The engine removes secrets
// from the exchanges; this module removes them from the diagram's texts.

import type { ReactElement } from 'react';
import type { Exchange } from '../../control/schemas/exchanges.ts';
import { createClientRedactor } from '../../redact/redactor.ts';
import { control } from '../connection/control.ts';
import { page } from '../connection/state.ts';
import rawCss from '../exchange/Raw.module.css?inline';
import whyCss from '../exchange/Why.module.css?inline';
import type { Message } from '../sequence/message.ts';
import sequenceCss from '../sequence/Sequence.module.css?inline';
import { notify } from '../ui/notify.tsx';
import { momentInName, saveFile } from '../ui/save-file.ts';
import statusTagCss from '../ui/StatusTag.module.css?inline';
import themeCss from '../ui/theme.css?raw';
import type { ReportFacts } from './Report.tsx';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

/** The policy keeps the file from running scripts and loading resources. */
const META = `<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">`;

/** Replaces control characters that HTML forbids (HTML 13.2.3.5) with U+FFFD. */
export const withoutControls = (text: string): string =>
  text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd');

function documentText(title: string, style: string, body: ReactElement): string {
  const page = document.implementation.createHTMLDocument(title);
  page.documentElement.lang = 'en';
  page.head.insertAdjacentHTML('afterbegin', META);
  page.head.append(Object.assign(page.createElement('style'), { textContent: style }));
  const root = createRoot(page.body);
  flushSync(() => root.render(body));
  const text = `<!doctype html>\n${page.documentElement.outerHTML}\n`;
  root.unmount();
  return withoutControls(text);
}

/** The declarations of the first rule whose selector contains this text. */
function declarations(css: string, selector: string): string {
  const start = css.indexOf('{', css.indexOf(selector)) + 1;
  return css.slice(start, css.indexOf('}', start)).trim();
}

const LAYOUT = `
*{box-sizing:border-box;font-variant-ligatures:none}
h1,h2,h3,h4,p,dl,dd,ol,ul,figure{margin:0}
body{margin:0;background:var(--bg);color:var(--text);font:14px/1.5 var(--font)}
body>header,main{max-width:960px;margin:0 auto;padding:var(--s5)}
body>header{padding-bottom:0}
h1{margin-bottom:var(--s1);font-size:22px;letter-spacing:-.01em}
h2{margin:32px 0 var(--s3);font-size:16px}
h4{margin:var(--s4) 0 var(--s1h);color:var(--muted);font-size:var(--fs-s);font-weight:var(--w-medium)}
.mono{font-family:var(--mono);font-size:var(--fs-s)}
.muted{color:var(--muted)}
.visually-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:var(--s0) var(--s4);margin-top:var(--s3);font-size:var(--fs)}
dt{color:var(--muted)}
dd{overflow-wrap:anywhere}
.differences{padding-left:18px}
table{width:100%;border-collapse:collapse;font-size:var(--fs)}
th{text-align:left;color:var(--muted);font-weight:var(--w-medium)}
th,td{padding:var(--s1h) var(--s3) var(--s1h) 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
figure{padding:var(--s3);border:1px solid var(--line);border-radius:var(--r-l)}
figure>svg{display:block;width:100%;height:auto}
article{margin-bottom:var(--s4);padding:var(--s4);border:1px solid var(--line);border-radius:var(--r-l);background:var(--surface)}
article>header{display:flex;flex-wrap:wrap;gap:var(--s1) var(--s3);align-items:baseline;margin-bottom:var(--s2)}
article>header>h3{font:var(--w-bold) var(--fs)/1.5 var(--mono);overflow-wrap:anywhere}
article>div:first-of-type{padding:var(--s2) 0 0}
.muted,article>p{font-size:var(--fs)}
a{color:var(--accent)}
abbr{text-decoration:none}
@media print{body{font-size:11px}article,figure{break-inside:avoid}}
`;

/**
 * @param themeCss the text of theme.css
 * @param componentsCss the rules of the components
 */
export function reportStyle(themeCss: string, componentsCss: string): string {
  const sizes = declarations(themeCss, ':root {');
  const dark = declarations(themeCss, "[data-mantine-color-scheme='dark']");
  const light = declarations(themeCss, "[data-mantine-color-scheme='light']");
  const rules = themeCss.split(/(?<=\})/);
  const tones = rules.filter((rule) => rule.includes('[data-tone=')).join('');
  return `:root{${sizes}${light}}\n@media screen and (prefers-color-scheme:dark){:root{${dark}}}\n${tones}${LAYOUT}${componentsCss}`;
}

/** The exchanges without secrets, by number. Exchanges that are no longer stored are missing. */
export async function withoutSecrets(numbers: readonly number[]): Promise<Map<number, Exchange>> {
  if (numbers.length === 0) return new Map();
  const answer = await control.exchanges.export({
    format: 'json',
    numbers: numbers.join(','),
    secrets: false,
  });
  const exchanges = 'exchanges' in answer ? answer.exchanges : [];
  return new Map(exchanges.map((exchange) => [exchange.number, exchange]));
}

/** Removes secrets from messages, since the page may have exchanges with secrets. */
export function hidden(messages: readonly Message[]): Message[] {
  const { words } = createClientRedactor(page.getState().clients);
  return messages.map((message) => ({
    ...message,
    request: words(message.request),
    reply: words(message.reply),
    notes: message.notes.map((note) => ({ ...note, text: words(note.text) })),
  }));
}

/** The facts of a report, among those of its sandbox. */
export function withSandbox(facts: ReportFacts['facts']): ReportFacts['facts'] {
  const { server } = page.getState();
  return [
    ['Issuer', server?.issuer ?? ''],
    ...facts,
    ['Workspace', server?.workspace.name ?? ''],
    ['Grantbench', server?.version ?? ''],
  ];
}

/** The styles of the page's components that every report uses. */
const COMPONENTS = [sequenceCss, rawCss, whyCss, statusTagCss];

/** @param about what the report is about, for the name of its file: `flow` */
export function saveReport(
  { title, made_at }: Pick<ReportFacts, 'title' | 'made_at'>,
  about: string,
  body: ReactElement,
): void {
  const style = reportStyle(themeCss, COMPONENTS.join('\n'));
  const file = `grantbench-${about}-${momentInName(made_at)}.html`;
  saveFile([documentText(title, style, body)], file, 'text/html');
  notify('Saving the report, without secrets');
}
