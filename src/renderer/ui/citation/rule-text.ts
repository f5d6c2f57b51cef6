// The text of a rule, as HTML, from the two documents of the rule book: part of the build, so that it can be
// read without a network. The documents are ours; raw HTML in them is left out all the same.

import { Marked } from 'marked';
import behaviour from '../../../../docs/behaviour.md?raw';
import specification from '../../../../docs/specification.md?raw';
import type { Book, RuleReference } from './citations.ts';

const TEXTS: Readonly<Record<Book, string>> = { spec: specification, behaviour };

/** What each heading of the documents looks like: `### <a id="5-2"></a>5.2 The window`. */
const HEADING = /^(#{2,4}) <a id="([\d-]+)"><\/a>(.*)$/;

/** Where a link leads, if to a rule: `#3-2`, `specification.md#4-1-1`. */
function ruleBehind(href: string, from: Book): RuleReference | null {
  const [, file, id] = /^(behaviour\.md|specification\.md)?#([\d-]+)$/.exec(href) ?? [];
  if (id === undefined) return null;
  const book = file === undefined ? from : file === 'behaviour.md' ? 'behaviour' : 'spec';
  return { book, number: id.replaceAll('-', '.') };
}

/** A link to a rule is marked with it; what lies outside of the rule book is text alone. */
function readerOf(from: Book): Marked {
  return new Marked({
    renderer: {
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const rule = ruleBehind(href, from);
        if (rule === null) return words;
        return `<a href="#" data-book="${rule.book}" data-number="${rule.number}">${words}</a>`;
      },
      html: () => '',
    },
  });
}

export interface RuleText {
  /** With its number. */
  readonly title: string;
  readonly html: string;
}

/** The rule, with all those below it when it is a section; null when there is none of this number. */
export function ruleText({ book, number }: RuleReference): RuleText | null {
  const lines = TEXTS[book].split('\n');
  const id = number.replaceAll('.', '-');
  const start = lines.findIndex((line) => HEADING.exec(line)?.[2] === id);
  const [, marks = '', , title = ''] = HEADING.exec(lines[start] ?? '') ?? [];
  if (marks === '') return null;
  const after = lines.slice(start + 1);
  const length = after.findIndex((line) => (HEADING.exec(line)?.[1]?.length ?? 9) <= marks.length);
  const body = (length < 0 ? after : after.slice(0, length)).join('\n');
  return { title, html: readerOf(book).parse(body, { async: false }) };
}
