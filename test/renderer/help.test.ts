// The documentation in the page: every document of docs/ is included, and every link has a target.

import { describe, expect, test } from 'vitest';
import { REFUSALS } from '../../src/core/checks/refusals/index.ts';
import {
  allSections,
  findSections,
  groupsOf,
  INDEX,
  readItem,
  sectionsOf,
  titleOf,
  type Texts,
  MOVED,
} from '../../src/renderer/views/help/documents.ts';
import { renderDocument } from '../../src/renderer/views/help/HelpView.tsx';
import { HELP_DOCUMENTS, readDocument } from '../support/documents.ts';

const paths = HELP_DOCUMENTS;
const texts: Texts = new Map(paths.map((path) => [path, readDocument(path)]));

const pages = new Map(paths.map((path) => [path, renderDocument(path, texts, true)]));
const page = (path: string) => pages.get(path) ?? '';

test('every document is listed in the index, or is linked from a listed document', () => {
  const listed = groupsOf(texts).flatMap((group) => group.paths);
  const folders = listed
    .filter((path) => path.endsWith('/README.md'))
    .map((path) => path.replace(/README\.md$/, ''));
  for (const path of texts.keys()) {
    const found = listed.includes(path) || folders.some((folder) => path.startsWith(folder));
    expect(found, path).toBe(true);
  }
  expect(listed[0]).toBe(INDEX);
});

test.each(paths)('%s: the index names it by its title', (path) => {
  expect(titleOf(path, texts)).toBe(sectionsOf(path, texts.get(path) ?? '')[0]?.title);
});

test.each(paths)('%s: its links lead to documents and headings that exist', (path) => {
  const html = page(path);
  const links = [...html.matchAll(/href="#\/help\/([^"]+)"/g)].map(([, item = '']) =>
    decodeURIComponent(item),
  );
  for (const link of links) {
    const { path: to, anchor } = readItem(link, texts);
    expect(link.startsWith(to), link).toBe(true);
    if (anchor === '') continue;
    expect(page(to), link).toContain(` id="${anchor}"`);
  }
});

test.each(paths)('%s: each heading has its own anchor, even after code', (path) => {
  const html = page(path);
  const ids = [...html.matchAll(/<h\d id="([^"]*)"/g)].map(([, id]) => id);
  const anchors = sectionsOf(path, texts.get(path) ?? '').map(({ anchor }) => anchor);
  expect(ids).toEqual(anchors);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('a document that has moved', () => {
  test.each(Object.entries(MOVED))('%s is found at its former address', (former, current) => {
    const [path = '', anchor = ''] = current.split('#');
    expect(texts.has(former)).toBe(false);
    expect(readItem(former, texts)).toEqual({ path, anchor });
    if (anchor !== '') expect(page(path)).toContain(` id="${anchor}"`);
  });

  const NAMES = `authorize causes cli clients control-api exec faults glossary https install keys library
    scenarios throttling tokens workspace shapes/README shapes/auth0 shapes/entra shapes/keycloak shapes/okta`;

  test.each(NAMES.split(/\s+/))('%s.md is found in its folder', (name) => {
    const { path } = readItem(`${name}.md`, texts);
    expect([`guides/${name}.md`, `reference/${name}.md`]).toContain(path);
  });

  test('keeps the section in the address', () => {
    expect(readItem('https.md#trusting-the-certificate', texts)).toEqual({
      path: 'guides/https.md',
      anchor: 'trusting-the-certificate',
    });
  });

  test('is not shown when it describes the internals of Grantbench', () => {
    expect(readItem('architecture.md', texts)).toEqual({ path: INDEX, anchor: '' });
    expect([...texts.keys()].filter((path) => path.startsWith('internals/'))).toEqual([]);
  });
});

test('every cause has an entry that the trace can link to', () => {
  const ids = Object.keys(REFUSALS);
  const missing = ids.filter((id) => !page('reference/causes.md').includes(` id="${id}"`));
  expect(missing).toEqual([]);
  expect(ids.length).toBeGreaterThan(100);
});

describe('a document', () => {
  const own: Texts = new Map([
    [INDEX, '# All\n\n| Group | |\n|---|---|\n| [a](a.md) | one |\n'],
    ['a.md', '# A\n\n<b>raw</b> [b](sub/b.md#two) [x](https://x.example) ![p](p.png)\n'],
    ['sub/b.md', '# B `code`\n\n```sh\n# not a heading\n```\n\n## Two\n\nwords\n\n## Two\n'],
  ]);

  test('is rendered without raw HTML and pictures, with its links in the page', () => {
    expect(renderDocument('a.md', own, true)).toBe(
      '<h1 id="a" tabindex="-1">A</h1>\n<p>raw <a href="#/help/sub%2Fb.md%23two">b</a> ' +
        '<a href="https://x.example" target="_blank" rel="noreferrer">x</a> </p>\n',
    );
  });

  test('shows addresses when links cannot be opened', () => {
    expect(renderDocument('a.md', own, false)).toContain('x (<code>https://x.example</code>)');
  });

  test('is divided into sections by its headings, and code does not count as a heading', () => {
    const sections = sectionsOf('sub/b.md', own.get('sub/b.md') ?? '');
    expect(sections.map(({ title, anchor, document }) => [title, anchor, document])).toEqual([
      ['B code', 'b-code', 'B code'],
      ['Two', 'two', 'B code'],
      ['Two', 'two-1', 'B code'],
    ]);
  });

  test('is found by its headings first, then by its text', () => {
    const found = findSections(allSections(own), 'two');
    expect(found.map(({ anchor }) => anchor)).toEqual(['two', 'two-1', 'a']);
    expect(findSections(allSections(own), 'WORDS')[0]?.anchor).toBe('two');
    expect(findSections(allSections(own), 'words missing')).toEqual([]);
  });

  test('is replaced by the index when it does not exist', () => {
    expect(readItem('gone.md#x', own)).toEqual({ path: INDEX, anchor: '' });
    expect(readItem(null, own)).toEqual({ path: INDEX, anchor: '' });
  });
});
