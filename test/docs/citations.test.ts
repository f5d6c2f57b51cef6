// Every rule and section of a standard that code, tests and documents cite exists, and no text names a document that a
// reader of the repository cannot open.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { citedPieces, placeOf } from '../../src/renderer/ui/citations.ts';
import { rulesOf } from '../../src/core/checks/rules.ts';
import { createEvaluation } from '../../src/core/checks/trace.ts';
import { GRANT_TYPES } from '../../src/core/records/enumerations.ts';
import { SECTIONS } from './standards.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['src', 'test', 'scripts', 'docs', 'resources', '.github'];
const TEXTS = ['.ts', '.tsx', '.mjs', '.md', '.css', '.html', '.json'];

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** Leaves out recorded traffic, installed packages, and this file, which contains invalid citations. */
const isOurs = (file: string) =>
  TEXTS.includes(extname(file)) &&
  !/(^|\/)(node_modules|corpus)\//.test(file) &&
  file !== 'test/docs/citations.test.ts';

const FILES = [
  ...readdirSync(ROOT).filter((name) => extname(name) === '.md'),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name).split(sep).join('/'),
    ),
  ),
].filter(isOurs);

const DOCUMENTS = FILES.filter((file) => extname(file) === '.md');

/** The anchor that repository hosts generate for a heading. */
const slugOf = (heading: string) =>
  heading
    .replace(/<[^>]*>/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (file: string): ReadonlySet<string> => {
  const text = read(file);
  const given = [...text.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = '']) => id);
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slugOf(heading));
  return new Set([...given, ...headings]);
};

const known = new Map<string, ReadonlySet<string>>();

/** @param place `docs/behaviour.md#5-2`, or a path alone */
function isThere(place: string): boolean {
  const [file = '', anchor] = place.split('#');
  if (!existsSync(join(ROOT, file))) return false;
  if (anchor === undefined) return true;
  const anchors = known.get(file) ?? anchorsOf(file);
  known.set(file, anchors);
  return anchors.has(anchor);
}

describe('a citation in a text', () => {
  const cited = (text: string) =>
    citedPieces(text).flatMap(({ text: phrase, cites }) =>
      cites === null
        ? []
        : [
            [
              phrase,
              'standard' in cites ? `${cites.standard} #${cites.section ?? ''}` : placeOf(cites),
            ],
          ],
    );

  test.each([
    ['spec 4.1.1', [['spec 4.1.1', 'docs/specification.md#4-1-1']]],
    ['behaviour 5', [['behaviour 5', 'docs/behaviour.md#5']]],
    [
      'spec 1.4, 8.2',
      [
        ['spec 1.4', 'docs/specification.md#1-4'],
        ['8.2', 'docs/specification.md#8-2'],
      ],
    ],
    [
      'of behaviour 2 and 5.3.',
      [
        ['behaviour 2', 'docs/behaviour.md#2'],
        ['5.3', 'docs/behaviour.md#5-3'],
      ],
    ],
    [
      'behaviour 3, RFC 6750 2.1, 2.2: both',
      [
        ['behaviour 3', 'docs/behaviour.md#3'],
        ['RFC 6750 2.1', 'RFC 6750 #2.1'],
        ['2.2', 'RFC 6750 #2.2'],
      ],
    ],
    ['Behaviour 5, 30 requests', [['Behaviour 5', 'docs/behaviour.md#5']]],
    ['behaviour 3, step 3', [['behaviour 3', 'docs/behaviour.md#3']]],
    ['respect 4 and 5', []],
    ['RFC 7009, 7662', [['RFC 7009', 'RFC 7009 #']]],
    [
      'OpenID Connect Core 2 and 3.1.3.3.',
      [
        ['OpenID Connect Core 2', 'OpenID Connect Core #2'],
        ['3.1.3.3', 'OpenID Connect Core #3.1.3.3'],
      ],
    ],
    [
      'OpenID Connect RP-Initiated Logout 1.0, RP-Initiated Logout 2',
      [
        ['OpenID Connect RP-Initiated Logout 1.0', 'OpenID Connect RP-Initiated Logout #'],
        ['RP-Initiated Logout 2', 'RP-Initiated Logout #2'],
      ],
    ],
    [
      'draft-ietf-oauth-refresh-token-expiration-03, 8',
      [
        [
          'draft-ietf-oauth-refresh-token-expiration-03',
          'draft-ietf-oauth-refresh-token-expiration-03 #',
        ],
        ['8', 'draft-ietf-oauth-refresh-token-expiration-03 #8'],
      ],
    ],
  ])('%s', (text, rules) => {
    expect(cited(text)).toEqual(rules);
  });

  test('the pieces join to the original text', () => {
    const text = 'See spec 1.4, 8.2 (RFC 6749 5) and behaviour 2.';
    expect(
      citedPieces(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });
});

/** The last section of the specification, which lists rules and is not one itself. */
const APPENDIX = '<a id="open-points"></a>How the open points are settled';

describe('the rule book', () => {
  test.each(['docs/specification.md', 'docs/behaviour.md'])(
    '%s: the anchor of each heading is its number, which is unique',
    (file) => {
      const headings = [...read(file).matchAll(/^#{2,4} (.*)$/gm)]
        .map(([, heading = '']) => heading)
        .filter((heading) => heading !== APPENDIX);
      const numbers = headings.map((heading) => {
        const [, id, number] =
          /^<a id="([\d-]+)"><\/a>(\d+(?:\.\d+){0,3})\.? \S/.exec(heading) ?? [];
        return id === number?.replaceAll('.', '-') ? number : heading;
      });
      expect(numbers.filter((number = '') => !/^[\d.]+$/.test(number))).toEqual([]);
      expect(new Set(numbers).size).toBe(numbers.length);
      expect(numbers.length).toBeGreaterThan(20);
    },
  );

  test('each rule of behaviour names its source', () => {
    const rules = read('docs/behaviour.md').split(/^### /m).slice(1);
    expect(rules.filter((rule) => !rule.includes('**Source:**'))).toEqual([]);
  });
});

test('every citation refers to an existing rule', () => {
  const lost = FILES.flatMap((file) =>
    citedPieces(read(file)).flatMap(({ text, cites }) =>
      cites === null || 'standard' in cites || isThere(placeOf(cites)) ? [] : [`${file}: ${text}`],
    ),
  );
  expect(lost).toEqual([]);
});

test('every citation of a standard names a known section', () => {
  const unknown = FILES.flatMap((file) =>
    citedPieces(read(file)).flatMap(({ text, cites }) => {
      if (cites === null || !('standard' in cites)) return [];
      const sections = SECTIONS[cites.standard];
      const exists =
        sections !== undefined && (cites.section === null || sections.includes(cites.section));
      return exists ? [] : [`${file}: ${text}`];
    }),
  );
  expect(unknown).toEqual([]);
});

test('every section in a trace parses completely as a citation', () => {
  const endpoints = [
    'authorize',
    'introspect',
    'logout',
    'register',
    'revoke',
    'userinfo',
  ] as const;
  const rules = [
    ...endpoints.flatMap((endpoint) => rulesOf({ ...createEvaluation(1), endpoint })),
    ...GRANT_TYPES.flatMap((grant_type) => rulesOf({ ...createEvaluation(1), grant_type })),
  ].map(([, { section }]) => section);
  const notes = [...read('src/core/checks/deviations.ts').matchAll(/^ +section: '([^']+)'/gm)].map(
    ([, section = '']) => section,
  );
  expect(notes.length).toBeGreaterThan(10);
  const unread = [...rules, ...notes].filter((section) =>
    citedPieces(section).some(({ text, cites }) => cites === null && text !== ', '),
  );
  expect(unread).toEqual([]);
});

test('no text cites a document outside the repository', () => {
  const NOWHERE = [
    /\bissue \d/gi,
    /(?<![\w/-])(?:control|words|style|electron-runtime)\.md\b/g,
    /\bsecond edition\b/gi,
  ];
  const found = FILES.flatMap((file) => {
    const text = read(file);
    return NOWHERE.flatMap((name) =>
      [...text.matchAll(name)].map(([phrase]) => `${file}: ${phrase}`),
    );
  });
  expect(found).toEqual([]);
});

test('every link between documents has an existing target', () => {
  const lost = DOCUMENTS.flatMap((file) =>
    [...read(file).matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, target = '']) => {
      if (/^[a-z]+:/.test(target)) return [];
      const place = target.startsWith('#')
        ? `${file}${target}`
        : normalize(join(dirname(file), target))
            .split(sep)
            .join('/');
      return isThere(place) ? [] : [`${file}: ${target}`];
    }),
  );
  expect(lost).toEqual([]);
});

test('every file and folder named in a document exists', () => {
  const lost = DOCUMENTS.flatMap((file) =>
    [...read(file).matchAll(/`((?:src|test|scripts|docs|resources)\/[^\s`*{}<>]+)`/g)].flatMap(
      ([, path = '']) => (isThere(path) ? [] : [`${file}: ${path}`]),
    ),
  );
  expect(lost).toEqual([]);
});
