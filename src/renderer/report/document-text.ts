// An HTML file out of components: drawn into a document that is never shown and loads nothing. The page's own
// React does it; a renderer for servers would be 200 kB more.

import type { ReactElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

/** Nothing in the file runs, and nothing is fetched. */
const META = `<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">`;

/** Control characters that no HTML may have (HTML 13.2.3.5) become the sign for what is unknown. */
export const withoutControls = (text: string): string =>
  text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd');

/** The text of a file that stands for itself. */
export function documentText(title: string, style: string, body: ReactElement): string {
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
