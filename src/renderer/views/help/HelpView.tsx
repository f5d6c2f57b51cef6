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
import { renderDocument } from './render.ts';
import rows from '../../ui/item.module.css';
import prose from '../../ui/prose.module.css';
import classes from './Help.module.css';

/** The sections of the open document. */
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

/** All documents in groups, with the sections of the open one. */
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
      <Text px={10} size="xs" c="dimmed" role="status">
        {found.length === 0
          ? 'No matching sections'
          : `${found.length} ${found.length === 1 ? 'section' : 'sections'}`}
      </Text>
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

const addressIn = (item: string): string => hrefOf('help', item);

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
  const html = useMemo(
    () => renderDocument(path, texts, { links: opensAddresses(), hrefOf: addressIn }),
    [path, texts],
  );
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

/** The documentation: a searchable index, and beside it the open document. */
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
