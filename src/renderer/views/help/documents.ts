// Parses the documents of docs/, except those of docs/internals/: their order, sections and headings, and where words
// occur in them. They are part of the build, so that they can be read without a network. Pure.

// Documents that have moved, so that bookmarks and links in older exports still work.

/** The current path, with an anchor if the document is now a section, of those that had another name in docs/. */
export const MOVED: Readonly<Record<string, string>> = {
  'against.md': 'guides/imitate-a-provider.md',
  'docker.md': 'guides/ci-and-tests.md#containers',
  'open-points.md': 'specification.md#open-points',
  'point-an-app.md': 'guides/connect-your-app.md',
  'recipes.md': 'guides/break-things.md',
  'scaling.md': 'guides/ci-and-tests.md',
};

/** The others have moved into one of these under the same name. */
const FOLDERS = ['guides', 'reference'];

/** Markdown by path in docs/: `guides/https.md`, `reference/shapes/okta.md`. */
export type Texts = ReadonlyMap<string, string>;

/** The document that lists all others. */
export const INDEX = 'README.md';

interface Heading {
  readonly depth: number;
  readonly title: string;
  /** The same anchor as on GitHub, such as `point-an-app`, or the id in the text. */
  readonly anchor: string;
}

interface Section extends Heading {
  readonly path: string;
  readonly document: string;
  readonly text: string;
}

const HEADING = /^(#{1,4}) (?:<a id="([\w-]+)"><\/a>)?(.*)$/;
const FENCE = /^ {0,3}(?:```|~~~)/;

/** Markdown without its markup. */
const plain = (markdown: string): string =>
  markdown
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[`*_]/g, '')
    .trim();

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** The sections of a document. Text before its first heading belongs to none. */
export function sectionsOf(path: string, text: string): Section[] {
  const sections: (Omit<Section, 'text'> & { lines: string[] })[] = [];
  const seen = new Map<string, number>();
  let fenced = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) fenced = !fenced;
    const [, marks, id, words = ''] = (fenced ? null : HEADING.exec(line)) ?? [];
    if (marks === undefined) {
      sections.at(-1)?.lines.push(line);
      continue;
    }
    const title = plain(words);
    const slug = id ?? slugOf(title);
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    const anchor = times === 0 ? slug : `${slug}-${times}`;
    const document = sections[0]?.document ?? title;
    sections.push({ path, document, title, anchor, depth: marks.length, lines: [] });
  }
  return sections.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n') }));
}

export const titleOf = (path: string, texts: Texts): string =>
  sectionsOf(path, texts.get(path) ?? '')[0]?.title ?? path;

/** The documents in the groups of the index, which itself begins the first group. */
export function groupsOf(texts: Texts) {
  const groups: { title: string; paths: string[] }[] = [{ title: 'Start here', paths: [INDEX] }];
  for (const line of (texts.get(INDEX) ?? '').split('\n')) {
    const [, heading] = /^\| ([^|[]+) \| *\|$/.exec(line) ?? [];
    if (heading !== undefined && !heading.startsWith('-')) {
      groups.push({ title: heading, paths: [] });
    }
    for (const [, path = ''] of line.matchAll(/\]\(([\w/.-]+\.md)\)/g)) {
      if (texts.has(path)) groups.at(-1)?.paths.push(path);
    }
  }
  return groups;
}

/** The route's item for a document: `guides/https.md`, `guides/https.md#node`. */
export const itemOf = (path: string, anchor = ''): string =>
  anchor === '' ? path : `${path}#${anchor}`;

/** Parses an item of the route. A former path is replaced by the current one. */
export function readItem(item: string | null, texts: Texts): { path: string; anchor: string } {
  const [path = '', anchor = ''] = (item ?? INDEX).split('#');
  if (texts.has(path)) return { path, anchor };
  const moved = FOLDERS.map((folder) => `${folder}/${path}`).find((one) => texts.has(one));
  const [current = '', section = anchor] = (MOVED[path] ?? moved ?? '').split('#');
  return texts.has(current) ? { path: current, anchor: section } : { path: INDEX, anchor: '' };
}

/** How well a section matches, best by its heading; null if a word is missing. */
function rankOf({ title, document, text }: Section, words: readonly string[]): number | null {
  const heading = title.toLowerCase();
  const about = `${document} ${title}`.toLowerCase();
  const all = `${about} ${text}`.toLowerCase();
  if (!words.every((word) => all.includes(word))) return null;
  if (words.every((word) => heading.includes(word))) return 0;
  return words.every((word) => about.includes(word)) ? 1 : 2;
}

/** Sections that contain all words. Those with the words in their heading come first. */
export function findSections(sections: readonly Section[], query: string): readonly Section[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = sections.flatMap((section) => {
    const rank = rankOf(section, words);
    return rank === null ? [] : [{ section, rank }];
  });
  return found.sort((a, b) => a.rank - b.rank).map(({ section }) => section);
}

export const allSections = (texts: Texts): readonly Section[] => {
  const listed = groupsOf(texts).flatMap(({ paths }) => paths);
  const order = [...new Set([...listed, ...texts.keys()])];
  return order.flatMap((path) => sectionsOf(path, texts.get(path) ?? ''));
};
