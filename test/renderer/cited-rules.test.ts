// The text of a rule that the page cites, from the two documents of the rule book.

import { describe, expect, test } from 'vitest';
import { rfcAddress } from '../../src/renderer/ui/citation/citations.ts';
import type { Book } from '../../src/renderer/ui/citation/citations.ts';
import { ruleText } from '../../src/renderer/ui/citation/rule-text.ts';

const textOf = (book: Book, number: string) => {
  const text = ruleText({ book, number });
  if (text === null) throw new Error(`there is no ${book} ${number}`);
  return text;
};

describe('the text of a rule', () => {
  test('has its title with its number, its words and its source', () => {
    const { title, html } = textOf('behaviour', '5.2');
    expect(title).toBe('5.2 The window');
    expect(html).toContain('The default limit is 30 requests in 60 s.');
    expect(html).toContain('<strong>Source:</strong>');
  });

  test('ends where the next one begins', () => {
    expect(textOf('behaviour', '5.2').html).not.toContain('5.3');
    expect(textOf('behaviour', '5.12').html).not.toContain('sandbox clock');
  });

  test('of a section has all its rules', () => {
    expect(textOf('behaviour', '5').html).toContain('5.12 Redundant token requests');
    expect(textOf('spec', '4.1').html).toContain('4.1.2 The refresh_token grant');
    expect(textOf('spec', '4.1.1').html).not.toContain('4.1.2');
  });

  test('has tables, and links to other rules', () => {
    const { html } = textOf('behaviour', '1.3');
    expect(html).toContain('<table>');
    expect(html).toContain('data-book="spec" data-number="4.1.1"');
  });

  test('has no link out of the rule book, and no raw HTML', () => {
    const { html } = textOf('behaviour', '2.9');
    expect(html).toContain('lineage');
    expect(html).not.toContain('glossary.md');
    expect(textOf('behaviour', '2').html).not.toContain('<a id');
  });

  test('is null where there is no such rule', () => {
    expect(ruleText({ book: 'behaviour', number: '5.99' })).toBeNull();
  });
});

test('an RFC is a link to its section', () => {
  expect(rfcAddress({ rfc: '6749', section: '4.1.3' })).toBe(
    'https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3',
  );
  expect(rfcAddress({ rfc: '7591', section: null })).toBe('https://www.rfc-editor.org/rfc/rfc7591');
});
