// Renders a document as HTML. Links between documents stay in the page; raw HTML and images are left out.

import { Marked } from 'marked';
import { itemOf, sectionsOf, type Texts } from './documents.ts';

const BASE = 'docs://docs/';

/** The item that a link leads to, such as `../guides/https.md#node` in `reference/cli.md`; null for other links. */
function itemBehind(href: string, from: string, texts: Texts): string | null {
  const url = URL.canParse(href, BASE + from) ? new URL(href, BASE + from) : null;
  if (url === null || url.host !== 'docs') return null;
  const path = url.pathname.slice(1);
  return texts.has(path) ? itemOf(path, url.hash.slice(1)) : null;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Keeps the anchors in the text and removes all other HTML. */
function anchored(html: string): string {
  const [, id] = /^<a id="([\w-]+)">$/.exec(html) ?? [];
  return id === undefined ? '' : `<span id="${id}" tabindex="-1"></span>`;
}

interface Options {
  /** Whether the page can open an address; if not, the address is shown as text. */
  readonly links: boolean;
  /** The page's address for a document or a heading. */
  readonly hrefOf: (item: string) => string;
}

export function renderDocument(path: string, texts: Texts, { links, hrefOf }: Options): string {
  const text = texts.get(path) ?? '';
  const sections = sectionsOf(path, text);
  let next = 0;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const anchor = sections[next++]?.anchor ?? '';
        const words = tokens.filter(({ type }) => type !== 'html');
        return `<h${depth} id="${anchor}" tabindex="-1">${this.parser.parseInline(words)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const item = itemBehind(href, path, texts);
        if (item !== null) return `<a href="${hrefOf(item)}">${words}</a>`;
        if (!/^https?:\/\//.test(href)) return words;
        const address = escaped(href);
        if (links) return `<a href="${address}" target="_blank" rel="noreferrer">${words}</a>`;
        return words === address ? `<code>${address}</code>` : `${words} (<code>${address}</code>)`;
      },
      table(token) {
        const row = (cells: typeof token.header, tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('');
        return `<div class="wide" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>`;
      },
      code({ text: code }) {
        return `<pre tabindex="0"><code>${escaped(code)}</code></pre>\n`;
      },
      image: () => '',
      html: ({ text }) => anchored(text),
    },
  });
  return marked.parse(text, { async: false });
}
