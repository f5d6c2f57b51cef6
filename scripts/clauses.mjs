// `npm run clauses`: holds test/clauses.md against the tests and the rule book. Each clause must name at least
// one test, and each test named must be there, so that no rule loses its proof when a test is renamed; each
// clause must be of a rule that is there, and each rule of behaviour must have a clause.

import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const TABLE = new URL('../test/clauses.md', import.meta.url);
const BOOKS = { spec: 'specification', behaviour: 'behaviour' };
const SUITES = new Set(['test', 'it', 'describe']);

/**
 * `test`, `test.each(…)`, `describe.skipIf(…)` and the like all begin with the same name.
 *
 * @param {ts.Expression} node @returns {string}
 */
function rootName(node) {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) {
    return rootName(node.expression);
  }
  return ts.isTaggedTemplateExpression(node) ? rootName(node.tag) : '';
}

/** @param {ts.Expression | undefined} node */
function titleOf(node) {
  if (node === undefined) return null;
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.getText().slice(1, -1) : null;
}

/** Every title in a file of tests, as written: placeholders and all. @param {URL} file */
function titlesIn(file) {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file.pathname, text, ts.ScriptTarget.Latest, true);
  /** @type {string[]} */
  const titles = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node) && SUITES.has(rootName(node.expression))) {
      const title = titleOf(node.arguments[0]);
      if (title !== null) titles.push(title);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/** @type {Map<string, readonly string[] | null>} */
const known = new Map();

/** null when there is no such file. @param {string} name below test/, without its ending */
function titlesOf(name) {
  const before = known.get(name);
  if (before !== undefined) return before;
  const file = ['.test.ts', '.spec.ts']
    .map((ending) => new URL(`../test/${name}${ending}`, import.meta.url))
    .find((candidate) => existsSync(candidate));
  const titles = file === undefined ? null : titlesIn(file);
  known.set(name, titles);
  return titles;
}

/** @param {string} reference @returns {string | null} */
function problemOf(reference) {
  const [name = '', words] = reference.split(' › ');
  if (words === undefined) return `names no test in "${reference}"`;
  const titles = titlesOf(name);
  if (titles === null) return `names test/${name}, which is not there`;
  return titles.some((title) => title.includes(words))
    ? null
    : `names "${words}", which no test in test/${name} is called`;
}

/** @param {string} row @returns {string[]} */
function problemsOf(row) {
  const [clause = '', , tests = ''] = row.split('|').slice(1, -1);
  const references = tests.split('<br>').map((text) => text.trim());
  const stated = references.filter((text) => text !== '');
  if (stated.length === 0) return [`${clause.trim()} is stated by no test`];
  return stated.flatMap((reference) => {
    const problem = problemOf(reference);
    return problem === null ? [] : [`${clause.trim()} ${problem}`];
  });
}

/** The numbers of a document's rules, sections included. @param {string} name */
function rulesOf(name) {
  const text = readFileSync(new URL(`../docs/${name}.md`, import.meta.url), 'utf8');
  return [...text.matchAll(/^#{2,4} <a id="([\d-]+)">/gm)].map(([, id = '']) =>
    id.replaceAll('-', '.'),
  );
}

/** The rules that a clause is about: `behaviour 5.8, 5.9 429` is about two; one of an RFC about none. @param {string} row */
function citedRules(row) {
  if (row.startsWith('| RFC ')) return [];
  const [, book = '', numbers = ''] =
    /^\| (spec|behaviour) (\d[\d.]*(?:, \d[\d.]*)?)/.exec(row) ?? [];
  return numbers.split(', ').map((number) => `${book} ${number}`);
}

/** @param {readonly string[]} rows @returns {string[]} */
function problemsWithRules(rows) {
  const rules = Object.entries(BOOKS).flatMap(([book, name]) =>
    rulesOf(name).map((number) => `${book} ${number}`),
  );
  const cited = rows.flatMap(citedRules);
  const stated = new Set(cited);
  return [
    ...cited
      .filter((rule) => !rules.includes(rule))
      .map((rule) => `"${rule}" is no rule of docs/specification.md or docs/behaviour.md`),
    ...rules
      .filter((rule) => /^behaviour \d+\./.test(rule) && !stated.has(rule))
      .map((rule) => `${rule} has no clause`),
  ];
}

const rows = readFileSync(TABLE, 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!Clause |-)/.test(line));
const problems = [...rows.flatMap(problemsOf), ...problemsWithRules(rows)];
for (const problem of problems) console.error(`test/clauses.md: ${problem}`);
console.log(`${rows.length} clauses, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
