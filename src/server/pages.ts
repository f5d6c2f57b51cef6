// Pages for people who open the server's address in a browser. Loaded when first asked for.

import { html } from 'hono/html';

const STYLE = `
:root{color-scheme:light dark;--bg:#f6f7f9;--surface:#fff;--line:#e1e5eb;--text:#181c24;--muted:#566072;--accent:#047857}
@media (prefers-color-scheme:dark){:root{--bg:#0e1014;--surface:#14171d;--line:#262b36;--text:#e7e9ee;--muted:#98a1b3;--accent:#34d399}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--bg);color:var(--text);font:14px/1.5 "Inter Variable",Inter,"Segoe UI",system-ui,sans-serif}
main{width:100%;max-width:640px;background:var(--surface);border:1px solid var(--line);border-radius:10px;padding:24px}
h1{margin:0 0 4px;font-size:18px;letter-spacing:-.01em}p{margin:0 0 16px;color:var(--muted)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:8px 16px;margin:0}dt{color:var(--muted)}dd{margin:0;overflow-wrap:anywhere}
code{font:13px ui-monospace,Consolas,monospace}a{color:var(--accent)}
@media (max-width:480px){dl{grid-template-columns:1fr;gap:2px}dd{margin-bottom:10px}}`;

export interface LandingFacts {
  readonly issuer: string;
  readonly endpoints: readonly (readonly [label: string, url: string])[];
  /** Where the workbench is, without its token; null when there is none. */
  readonly workbench: string | null;
  readonly version: string;
  readonly nonce: string;
}

/** GET /: issuer, endpoints, and where the workbench is. */
export async function landingPage(facts: LandingFacts): Promise<string> {
  const workbench =
    facts.workbench === null
      ? html`The workbench is the Grantbench window, if one is open.`
      : html`The workbench is at <a href="${facts.workbench}">${facts.workbench}</a>; open it with
          the address printed at start, which carries your access.`;
  const rows = facts.endpoints.map(
    ([label, url]) =>
      html`<dt>${label}</dt>
        <dd><code>${url}</code></dd>`,
  );
  return String(
    await html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width,initial-scale=1" />
          <title>Grantbench</title>
          <style nonce="${facts.nonce}">
            ${STYLE}
          </style>
        </head>
        <body>
          <main>
            <h1>Grantbench ${facts.version}</h1>
            <p>
              A sandbox authorization server. Every answer carries <code>Grantbench-Exchange</code>,
              the number under which its trace is found.
            </p>
            <dl>
              <dt>Issuer</dt>
              <dd><code>${facts.issuer}</code></dd>
              ${rows}
              <dt>Workbench</dt>
              <dd>${workbench}</dd>
            </dl>
          </main>
        </body>
      </html>`,
  );
}

/** The policy of every page this server renders. */
export function pagePolicy(nonce: string): string {
  return `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`;
}
