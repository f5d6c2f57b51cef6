// The layout of every page for users: head, style, and the name of the service, so that a sandbox is not mistaken for
// a real server. Pages are pure functions and are loaded when the first one is shown. hono/html escapes all values in
// a page.

import { html, raw } from 'hono/html';
import type { Settings } from '../../core/records/schemas.ts';

const LIGHT = `--bg:#f6f7f9;--surface:#fff;--raised:#f1f3f6;--line:#e1e5eb;--line-strong:#c9d0da;--edge:#828b9b;--text:#181c24;--muted:#566072;--accent:#047857;--accent-hover:#03624a;--accent-ink:#fff;--accent-soft:#04785712;--bad:#b91c1c;--bad-soft:#b91c1c0d;--bad-line:#b91c1c4d;--bad-mark:#b91c1c33;--warn:#8a5300;--warn-soft:#a162070f;color-scheme:light`;
const DARK = `--bg:#0e1014;--surface:#14171d;--raised:#1a1e26;--line:#262b36;--line-strong:#353c4a;--edge:#667085;--text:#e7e9ee;--muted:#98a1b3;--accent:#34d399;--accent-hover:#5ee0b0;--accent-ink:#05231a;--accent-soft:#34d39918;--bad:#f87171;--bad-soft:#f8717116;--bad-line:#f8717159;--bad-mark:#f871714d;--warn:#fbbf24;--warn-soft:#fbbf2416;color-scheme:dark`;

/**
 * The style of these pages: the design tokens of the workbench (renderer/theme.css), slightly larger. No font is
 * loaded, because the policy allows none.
 */
export const STYLE = `
:root{${LIGHT};--font:"Inter Variable",Inter,"Segoe UI",system-ui,sans-serif;--mono:"JetBrains Mono Variable","JetBrains Mono",ui-monospace,Consolas,monospace}
@media (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--bg);color:var(--text);font:14px/1.5 var(--font)}
main{width:100%;max-width:640px;background:var(--surface);border:1px solid var(--line);border-radius:10px;padding:24px}
h1{margin:0 0 4px;font-size:20px;line-height:1.3;letter-spacing:-.01em;overflow-wrap:anywhere}
p{margin:0 0 16px;color:var(--muted)}p:last-child{margin-bottom:0}
code{font:12.5px/1.6 var(--mono);font-variant-ligatures:none;overflow-wrap:anywhere}
a{color:var(--accent)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:6px 16px;margin:0}dt{color:var(--muted)}dd{margin:0;min-width:0;overflow-wrap:anywhere}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.brand{display:flex;align-items:center;gap:8px;margin-bottom:16px;color:var(--muted);font-size:12px}
.brand b{color:var(--text);font-size:13px;font-weight:650;letter-spacing:-.01em}
.brand i{width:18px;height:18px;border-radius:5px;display:grid;place-items:center;background:var(--accent);color:var(--accent-ink);font:700 12px var(--mono)}
.brand img{max-width:160px;max-height:32px}
.brand span:last-child{margin-left:auto}
.button{min-height:36px;padding:0 18px;border:1px solid var(--edge);border-radius:6px;background:var(--raised);color:var(--text);font:550 14px var(--font);cursor:pointer}
.button:hover{border-color:var(--text)}
.button.main{border-color:transparent;background:var(--accent);color:var(--accent-ink);font-weight:600}
.button.main:hover{background:var(--accent-hover)}
.notice{margin:16px 0 0;padding:10px 14px;border:1px solid var(--line-strong);border-left:3px solid var(--warn);border-radius:6px;background:var(--warn-soft);color:var(--text)}
.why{margin:16px 0;padding:12px 16px;border:1px solid var(--bad-line);border-radius:8px;background:var(--bad-soft)}
.why b{display:block}.why p{margin:4px 0 0;color:var(--text)}
mark{padding:0 1px;border-radius:3px;background:var(--bad-mark);color:inherit}
.rule{border-top:1px solid var(--line);margin-top:16px;padding-top:16px}
form{margin:16px 0 0}
label.field{display:block;font-weight:600}label.field input{display:block;width:100%;margin-top:8px;min-height:44px;padding:0 12px;border:1px solid var(--edge);border-radius:6px;background:var(--bg);color:var(--text);font:18px var(--mono);letter-spacing:.08em;text-transform:uppercase}label.field [aria-invalid]{border-color:var(--bad)}
.code{font:600 20px var(--mono);letter-spacing:.08em}
fieldset{min-width:0;margin:0;padding:0;border:0}
legend{margin-bottom:8px;padding:0;font-weight:600}legend small{color:var(--muted);font-size:12px;font-weight:400}
.ref{color:var(--muted);font-size:12px}
.columns{display:grid;grid-template-columns:1fr 1fr;gap:24px;margin-top:16px;padding-top:16px;border-top:1px solid var(--line)}
.choices{max-height:248px;overflow-y:auto;border:1px solid var(--line);border-radius:8px}
.choice{display:grid;grid-template-columns:16px 1fr;gap:10px;align-items:start;padding:8px 12px;cursor:pointer}
.choice+.choice{border-top:1px solid var(--line)}
.choice:hover{background:var(--raised)}
.choice:has([type=radio]:checked){background:var(--accent-soft)}
.choice:has(:focus-visible){outline:2px solid var(--accent);outline-offset:-2px}
.choice input{width:16px;height:16px;margin:3px 0 0;accent-color:var(--accent)}.choice input:focus-visible{outline:none}
.choice b{display:block;font-weight:550;overflow-wrap:anywhere}
.choice small{display:block;color:var(--muted);font-size:12px;line-height:1.45;overflow-wrap:anywhere}
.choice small code{font-size:12px;line-height:1.45}
.person{display:none;grid-template-columns:1fr 1fr;gap:12px;margin-top:8px}fieldset:has(.new:checked) .person{display:grid}
.credentials{display:grid;grid-template-columns:1fr 1fr;gap:0 24px;margin-top:16px}.credentials p{grid-column:1/-1;margin:0}.credentials .code{font-size:16px}
.person .check{grid-column:1/-1;display:grid;grid-template-columns:16px 1fr;gap:10px;color:var(--muted);font-size:12px}.person .check input{width:16px;height:16px;margin:1px 0 0;accent-color:var(--accent)}
label.text{display:block;margin-bottom:8px;color:var(--muted);font-size:12px}label.text input,label.text textarea{display:block;width:100%;margin-top:4px;min-height:36px;padding:6px 10px;border:1px solid var(--edge);border-radius:6px;background:var(--bg);color:var(--text);font:14px var(--font)}label.text textarea{font:12.5px/1.6 var(--mono);resize:vertical}
.none{margin:0;padding:12px;border:1px dashed var(--line-strong);border-radius:8px;color:var(--muted)}
.actions{display:flex;gap:10px;align-items:center;margin-top:20px}
.rule summary{width:fit-content;cursor:pointer;color:var(--muted)}.rule summary+p{margin:8px 0}
.errors{display:grid;gap:8px;margin:0;padding:0;list-style:none}.errors li{display:flex;gap:12px;align-items:center}.errors .button{min-width:224px;font:13px var(--mono)}.errors small{color:var(--muted)}
.foot{margin-top:16px;padding-top:16px;border-top:1px solid var(--line);color:var(--muted);font-size:12px}
@media (max-width:560px){body{padding:0;place-items:start stretch}main{min-height:100vh;border:0;border-radius:0;padding:20px 16px}.columns,.credentials{grid-template-columns:1fr}.columns{gap:16px}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:8px}.actions .button{flex:1;min-height:44px}}
@media (max-height:640px){body{padding:12px}main{padding:16px 20px}.choices{max-height:136px}}
@media (forced-colors:active){.choice:has([type=radio]:checked){outline:1px solid}}
`;

/** The name, colour and logo that the settings give the pages on which a user signs in. */
export type Look = NonNullable<Settings['sign_in_page']>;

/** The relative luminance of a colour (WCAG 2.2). @param color as # and six hexadecimal digits */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** White text has more contrast than black text on a colour that is darker than this. */
const MIDDLE = 0.179;

/** The main button and the mark have the colour; whatever must contrast with the background keeps that of the theme. */
function styleOf({ color }: Look): string {
  if (color === undefined) return STYLE;
  const ink = luminance(color) < MIDDLE ? '#fff' : '#000';
  return `${STYLE}.button.main,.button.main:hover{background:${color};color:${ink};border-color:var(--edge)}.brand i{background:${color};color:${ink}}\n`;
}

export type Content = ReturnType<typeof html>;

/** What is known of every page on which a user signs in. */
export interface SignInPage {
  /** Number of the page's exchange. */
  readonly exchange: number;
  readonly nonce: string;
  readonly look: Look;
}

interface Frame {
  readonly title: string;
  /** The nonce with which the policy allows the style. */
  readonly nonce: string;
  /** Number of the page's exchange. */
  readonly exchange?: number;
  /** Of a page on which a user signs in. */
  readonly look?: Look;
}

function brand({ name, logo }: Look): Content {
  const [initial] = name ?? 'g';
  const mark =
    logo === undefined
      ? html`<i aria-hidden="true">${initial}</i>`
      : html`<img src="${logo}" alt="" />`;
  return html`${mark}<b>${name ?? 'Grantbench'}</b> sandbox`;
}

export async function framed(
  { title, nonce, exchange, look = {} }: Frame,
  content: Content,
): Promise<string> {
  const number = exchange === undefined ? '' : html`<span>Exchange ${exchange}</span>`;
  return String(
    await html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width,initial-scale=1" />
          <title>${title} - ${look.name ?? 'Grantbench'}</title>
          <style nonce="${nonce}">
            ${raw(styleOf(look))}
          </style>
        </head>
        <body>
          <main>
            <div class="brand">${brand(look)} ${number}</div>
            ${content}
          </main>
        </body>
      </html>`,
  );
}
