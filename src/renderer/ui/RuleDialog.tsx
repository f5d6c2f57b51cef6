// A dialog with the text of a rule from docs/specification.md or docs/behaviour.md. Both are part of the build, so that
// they can be read offline. They are our own documents, but raw HTML in them is left out.

import { Modal, Text } from '@mantine/core';
import { Marked } from 'marked';
import type { MouseEvent } from 'react';
import behaviour from '../../../docs/behaviour.md?raw';
import specification from '../../../docs/specification.md?raw';
import { addressOf, citedPieces, placeOf, type Book, type RuleReference } from './citations.ts';
import classes from './prose.module.css';

interface RuleDialogProps {
  readonly rule: RuleReference;
  readonly opened: boolean;
  /** Whether published standards can be opened. */
  readonly links: boolean;
  /** Shows another rule in the dialog. */
  readonly onRule: (rule: RuleReference) => void;
  readonly onClose: () => void;
}

/** The text of one rule, or of a section with its rules. */
export function RuleDialog({ rule, opened, links, onRule, onClose }: RuleDialogProps) {
  const text = ruleText(rule, links);
  const book = rule.book === 'spec' ? 'Specification' : 'Behaviour';
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const { book: other, number } = link?.dataset ?? {};
    if (number === undefined) return;
    event.preventDefault();
    onRule({ book: other === 'spec' ? 'spec' : 'behaviour', number });
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      returnFocus={false}
      size="lg"
      title={text === null ? book : `${book} ${text.title}`}
    >
      {text === null ? (
        <p>This rule does not exist.</p>
      ) : (
        <div
          className={classes.prose}
          onClick={follow}
          dangerouslySetInnerHTML={{ __html: text.html }}
        />
      )}
      <Text mt="md" fz="var(--fs-xs)" ff="monospace" c="var(--faint)">
        {placeOf(rule)}
      </Text>
    </Modal>
  );
}

const TEXTS: Readonly<Record<Book, string>> = { spec: specification, behaviour };

/** A heading of the documents: `### <a id="5-2"></a>5.2 The window`. */
const HEADING = /^(#{2,4}) <a id="([\w-]+)"><\/a>(.*)$/;

/** The rule that a link leads to, such as `#3-2` or `specification.md#4-1-1`; null for any other link. */
function ruleBehind(href: string, from: Book): RuleReference | null {
  const [, file, id] = /^(behaviour\.md|specification\.md)?#([\d-]+)$/.exec(href) ?? [];
  if (id === undefined) return null;
  const book = file === undefined ? from : file === 'behaviour.md' ? 'behaviour' : 'spec';
  return { book, number: id.replaceAll('-', '.') };
}

/** Turns citations of published standards into links. */
const linkStandards = (markdown: string) =>
  citedPieces(markdown)
    .map(({ text, cites }) =>
      cites !== null && 'standard' in cites ? `[${text}](${addressOf(cites)})` : text,
    )
    .join('');

/** Links to other rules carry the rule; links to other documents become plain text. */
function readerOf(from: Book): Marked {
  return new Marked({
    renderer: {
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        if (href.startsWith('https://')) {
          return `<a href="${href}" target="_blank" rel="noreferrer">${words}</a>`;
        }
        const rule = ruleBehind(href, from);
        if (rule === null) return words;
        return `<a href="#" data-book="${rule.book}" data-number="${rule.number}">${words}</a>`;
      },
      html: () => '',
    },
  });
}

/**
 * The title with its number, and the text of a rule or of a section with all its rules; null if there is none.
 * @param links whether citations of published standards are links
 */
export function ruleText({ book, number }: RuleReference, links: boolean) {
  const lines = TEXTS[book].split('\n');
  const id = number.replaceAll('.', '-');
  const start = lines.findIndex((line) => HEADING.exec(line)?.[2] === id);
  const [, marks = '', , title = ''] = HEADING.exec(lines[start] ?? '') ?? [];
  if (marks === '') return null;
  const after = lines.slice(start + 1);
  const length = after.findIndex((line) => (HEADING.exec(line)?.[1]?.length ?? 9) <= marks.length);
  const body = (length < 0 ? after : after.slice(0, length)).join('\n');
  const markdown = links ? linkStandards(body) : body;
  return { title, html: readerOf(book).parse(markdown, { async: false }) };
}
