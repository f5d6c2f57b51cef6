// The frame of every page: head, style, and the name of the service, so that nobody takes a sandbox for
// the real thing. Everything that is put into a page is escaped by hono/html.

import { html, raw } from 'hono/html';
import { STYLE } from './style.ts';

export type Content = ReturnType<typeof html>;

interface Frame {
  readonly title: string;
  /** By which the policy allows the style. */
  readonly nonce: string;
  /** Number of the exchange that the page belongs to. */
  readonly exchange?: number;
}

export async function framed({ title, nonce, exchange }: Frame, content: Content): Promise<string> {
  const number = exchange === undefined ? '' : html`<span>Exchange ${exchange}</span>`;
  return String(
    await html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width,initial-scale=1" />
          <title>${title} - Grantbench</title>
          <style nonce="${nonce}">
            ${raw(STYLE)}
          </style>
        </head>
        <body>
          <main>
            <div class="brand"><i aria-hidden="true">g</i><b>Grantbench</b> sandbox ${number}</div>
            ${content}
          </main>
        </body>
      </html>`,
  );
}
