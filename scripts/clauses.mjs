// `npm run clauses`: each rule of docs/specification.md and docs/behaviour.md has a test that names it in its title,
// alone or in a list (`spec 4.1.1, behaviour 5.2: …`), and no title names a rule that does not exist. A suite's title
// applies to its tests. `-- --list` prints each rule with the tests that name it, and each section of a standard; `--
// --list behaviour 5` prints those of one section.

import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { runnerImport } from 'vite';
import { ROOT } from './run.mjs';

/** @typedef {import('../src/renderer/ui/citations.ts').Citation} Citation */
/** @typedef {{ readonly name: string, readonly heading: string, readonly needsTest: boolean }} Rule */
/** @typedef {{ readonly place: string, readonly names: readonly string[] }} Title */

const SUITES = new Set(['test', 'it', 'describe']);

const { module } = await runnerImport(join(ROOT, 'src/renderer/ui/citations.ts'));
const { citedPieces } = /** @type {typeof import('../src/renderer/ui/citations.ts')} */ (module);

/** Formats a citation: `behaviour 5.2`, `RFC 9449 4.3`. @param {Citation} citation */
function nameOf(citation) {
  if ('book' in citation) return `${citation.book} ${citation.number}`;
  return citation.section === null ? citation.standard : `${citation.standard} ${citation.section}`;
}

/** @param {string} text @returns {string[]} */
const namesIn = (text) => [
  ...new Set(citedPieces(text).flatMap(({ cites }) => (cites === null ? [] : [nameOf(cites)]))),
];

/**
 * Returns the rules. A section of behaviour with rules needs no test itself, nor does a heading or an open question.
 *
 * @param {string} book
 * @param {string} file
 * @returns {Rule[]}
 */
function rulesOf(book, file) {
  const text = readFileSync(join(ROOT, 'docs', file), 'utf8');
  return [...text.matchAll(/^#{2,4} <a id="[\d-]+"><\/a>(\d[\d.]*?)\.? (.*)(?=\n\n(.*)$)/gm)].map(
    ([, number = '', heading = '', body = '']) => ({
      name: `${book} ${number}`,
      heading,
      needsTest:
        !body.startsWith('#') && body !== '**Open**.' && (book === 'spec' || number.includes('.')),
    }),
  );
}

/**
 * Returns the first name of `test`, `test.each(…)`, `describe.skipIf(…)` and the like.
 *
 * @param {ts.Expression} node
 * @returns {string}
 */
function rootName(node) {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) {
    return rootName(node.expression);
  }
  return ts.isTaggedTemplateExpression(node) ? rootName(node.tag) : '';
}

/** Returns the text as written, including placeholders. @param {ts.Expression | undefined} node */
function titleOf(node) {
  if (node === undefined) return null;
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.getText().slice(1, -1) : null;
}

/** Returns the titles that cite rules. @param {string} name below test/ @returns {Title[]} */
function titlesIn(name) {
  const text = readFileSync(join(ROOT, 'test', name), 'utf8');
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  /** @type {Title[]} */
  const titles = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node) && SUITES.has(rootName(node.expression))) {
      const title = titleOf(node.arguments[0]) ?? '';
      const names = namesIn(title);
      if (names.length > 0) titles.push({ place: `${name} › ${title}`, names });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

const rules = [...rulesOf('spec', 'specification.md'), ...rulesOf('behaviour', 'behaviour.md')];
const known = new Map(rules.map((rule) => [rule.name, rule]));

const titles = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => name.split(sep).join('/'))
  .filter((name) => /\.(test|spec)\.ts$/.test(name) && !name.includes('node_modules/'))
  .sort()
  .flatMap(titlesIn);

/** @type {Map<string, string[]>} */
const places = new Map(rules.map(({ name }) => [name, []]));
for (const { place, names } of titles) {
  for (const name of names) places.set(name, [...(places.get(name) ?? []), place]);
}

const { compare: inOrder } = new Intl.Collator('en', { numeric: true });

/** @param {string} wanted a book, a section or a rule; empty for everything */
function list(wanted) {
  for (const name of [...places.keys()].sort(inOrder)) {
    const found = places.get(name) ?? [];
    if (found.length === 0 || !`${name}.`.replaceAll(' ', '.').startsWith(wanted)) continue;
    console.log(`${name}  ${known.get(name)?.heading ?? ''}`.trimEnd());
    for (const place of found) console.log(`    ${place}`);
  }
}

const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean' } },
  allowPositionals: true,
});
if (values.list) list(positionals.map((word) => `${word}.`).join(''));

const isRule = /^(?:spec|behaviour) /;
const problems = [
  ...rules
    .filter(({ name, needsTest }) => needsTest && places.get(name)?.length === 0)
    .map(({ name, heading }) => `no test names ${name} (${heading})`),
  ...titles.flatMap(({ place, names }) =>
    names
      .filter((name) => isRule.test(name) && !known.has(name))
      .map((name) => `${place}: there is no ${name}`),
  ),
];
for (const problem of problems) console.error(problem);
const needed = rules.filter(({ needsTest }) => needsTest).length;
console.log(`${needed} rules, named by ${titles.length} titles; ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
