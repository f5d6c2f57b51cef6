import { useEffect, useRef, useMemo, useState, type MouseEvent, type RefObject } from 'react';
import { TextInput, Stack, Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { hrefOf, type ViewProps } from '../../navigation/route.ts';
import { opensAddresses } from '../../ui/links.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import {
  groupsOf,
  itemOf,
  sectionsOf,
  titleOf,
  type Texts,
  allSections,
  findSections,
  readItem,
} from './documents.ts';
import rows from '../../ui/item.module.css';
import prose from '../../ui/prose.module.css';
import classes from './Help.module.css';
import { Hint } from '../../ui/panel.tsx';
import { pluralize } from '../../../words.ts';
import { Marked } from 'marked';

// Renders a document as HTML. Links between documents stay in the page; raw HTML and images are left out.

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

/** @param links whether the page can open an address; if not, the address is shown as text */
export function renderDocument(path: string, texts: Texts, links: boolean): string {
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
        if (item !== null) return `<a href="${hrefOf('help', item)}">${words}</a>`;
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

function Contents({ path, texts }: { readonly path: string; readonly texts: Texts }) {
  const sections = sectionsOf(path, texts.get(path) ?? '').filter(({ depth }) => depth === 2);
  if (sections.length === 0) return null;
  return (
    <ul role="list" className={classes.contents}>
      {sections.map(({ anchor, title }) => (
        <li key={anchor}>
          <a className={rows.item} href={hrefOf('help', itemOf(path, anchor))}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
}

interface HelpIndexProps {
  readonly texts: Texts;
  /** The open document. */
  readonly path: string;
}

function HelpIndex({ texts, path }: HelpIndexProps) {
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest' });
  }, [path]);
  return groupsOf(texts).map(({ title, paths }) => (
    <section key={title} aria-label={title}>
      <Text component="h2" px={10} pb={4} fz="var(--fs-xs)" fw="var(--w-medium)" c="dimmed">
        {title}
      </Text>
      <ul role="list">
        {paths.map((one) => (
          <li key={one}>
            <a
              ref={one === path ? current : undefined}
              className={rows.item}
              href={hrefOf('help', one)}
              aria-current={one === path ? 'page' : undefined}
            >
              {titleOf(one, texts)}
            </a>
            {one === path && <Contents path={path} texts={texts} />}
          </li>
        ))}
      </ul>
    </section>
  ));
}

const MOST_FOUND = 40;

const loadTexts = async (): Promise<Texts> => (await import('./texts.ts')).TEXTS;

function Found({ texts, query }: { readonly texts: Texts; readonly query: string }) {
  const sections = useMemo(() => allSections(texts), [texts]);
  const found = findSections(sections, query);
  return (
    <>
      <Hint px={10} role="status">
        {found.length === 0 ? 'No matching sections' : pluralize(found.length, 'section')}
      </Hint>
      <ul role="list">
        {found.slice(0, MOST_FOUND).map(({ path, anchor, title, document }) => (
          <li key={itemOf(path, anchor)}>
            <a className={rows.item} href={hrefOf('help', itemOf(path, anchor))}>
              {title}
              {title !== document && <small>{document}</small>}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

interface ArticleProps {
  readonly texts: Texts;
  readonly path: string;
  readonly anchor: string;
  readonly article: RefObject<HTMLElement | null>;
}

/** Scrolls to the element with this anchor; without an anchor, to the top. */
function bringIntoView(article: HTMLElement | null, anchor: string): void {
  const place = anchor === '' ? null : document.getElementById(anchor);
  if (place === null) {
    article?.scrollTo({ top: 0 });
    return;
  }
  place.scrollIntoView();
  place.focus({ preventScroll: true });
}

/** A document, scrolled to the heading in the route. */
function Article({ texts, path, anchor, article }: ArticleProps) {
  const html = useMemo(() => renderDocument(path, texts, opensAddresses()), [path, texts]);
  useEffect(() => bringIntoView(article.current, anchor), [article, html, anchor]);
  return (
    <article
      ref={article}
      className={`${prose.prose} ${classes.article}`}
      tabIndex={0}
      aria-label="Document"
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

export function HelpView({ item }: ViewProps) {
  const { known: texts, problem } = useLoaded(loadTexts, 0);
  const [query, setQuery] = useState('');
  const article = useRef<HTMLElement>(null);
  if (texts === null) return <div aria-busy={problem === null}>{problem}</div>;
  const { path, anchor } = readItem(item, texts);
  // The route does not change, so nothing else would scroll to the heading again.
  const again = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link?.getAttribute('href') === location.hash) bringIntoView(article.current, anchor);
  };
  return (
    <div className={classes.view} onClick={again}>
      <Stack
        component="nav"
        className={`${rows.index} ${classes.index}`}
        gap="sm"
        p="sm"
        aria-label="Documentation"
      >
        <TextInput
          data-find
          type="search"
          aria-label="Search the documentation"
          placeholder="Search the documentation"
          leftSection={<IconSearch size="1.1em" stroke={1.6} aria-hidden="true" />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setQuery('');
          }}
        />
        {query.trim() === '' ? (
          <HelpIndex texts={texts} path={path} />
        ) : (
          <Found texts={texts} query={query} />
        )}
      </Stack>
      <Article key={path} texts={texts} path={path} anchor={anchor} article={article} />
    </div>
  );
}
