// The text of a rule that the page cites, from the two documents of the rule book.

import { describe, expect, test } from 'vitest';
import { addressOf, type Book } from '../../src/renderer/ui/citations.ts';
import { ruleText } from '../../src/renderer/ui/RuleDialog.tsx';

const textOf = (book: Book, number: string, links = true) => {
  const text = ruleText({ book, number }, links);
  if (text === null) throw new Error(`there is no ${book} ${number}`);
  return text;
};

describe('the text of a rule', () => {
  test('consists of its numbered title, its paragraphs and its source', () => {
    const { title, html } = textOf('behaviour', '5.2');
    expect(title).toBe('5.2 The window');
    expect(html).toContain('The default limit is 30 requests in 60 s.');
    expect(html).toContain('<strong>Source:</strong>');
  });

  test('ends where the next rule begins', () => {
    expect(textOf('behaviour', '5.2').html).not.toContain('5.3');
    expect(textOf('behaviour', '5.12').html).not.toContain('sandbox clock');
  });

  test('contains all rules of a section', () => {
    expect(textOf('behaviour', '5').html).toContain('5.12 Redundant token requests');
    expect(textOf('spec', '4.1').html).toContain('4.1.2 The refresh_token grant');
    expect(textOf('spec', '4.1.1').html).not.toContain('4.1.2');
  });

  test('contains tables and links to other rules', () => {
    const { html } = textOf('behaviour', '1.3');
    expect(html).toContain('<table>');
    expect(html).toContain('data-book="spec" data-number="4.1.1"');
  });

  test('links to the standards it cites, unless the page cannot open addresses', () => {
    const { html } = textOf('behaviour', '7.9');
    expect(html).toContain('href="https://www.rfc-editor.org/rfc/rfc6750#section-3.1"');
    expect(html).toContain(
      '<a href="https://openid.net/specs/openid-connect-core-1_0.html#rfc.section.5.3" ' +
        'target="_blank" rel="noreferrer">OpenID Connect Core 5.3</a>',
    );
    const plain = textOf('behaviour', '7.9', false).html;
    expect(plain).toContain('OpenID Connect Core 5.3');
    expect(plain).not.toContain('https://');
  });

  test('contains no raw HTML and no link to another document of the repository', () => {
    const { html } = textOf('behaviour', '2.9');
    expect(html).toContain('lineage');
    expect(html).not.toContain('glossary.md');
    expect(textOf('behaviour', '2').html).not.toContain('<a id');
  });

  test('is null when the rule does not exist', () => {
    expect(ruleText({ book: 'behaviour', number: '5.99' }, true)).toBeNull();
  });
});

test.each([
  ['RFC 6749', '4.1.3', 'https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3'],
  ['RFC 7591', null, 'https://www.rfc-editor.org/rfc/rfc7591'],
  [
    'OpenID Connect Core',
    '3.1.2.1',
    'https://openid.net/specs/openid-connect-core-1_0.html#rfc.section.3.1.2.1',
  ],
  [
    'OpenID Connect Discovery',
    '3',
    'https://openid.net/specs/openid-connect-discovery-1_0.html#rfc.section.3',
  ],
  [
    'OpenID Connect Dynamic Client Registration',
    null,
    'https://openid.net/specs/openid-connect-registration-1_0.html',
  ],
  [
    'RP-Initiated Logout',
    '2',
    'https://openid.net/specs/openid-connect-rpinitiated-1_0.html#rfc.section.2',
  ],
  [
    'OAuth 2.0 Form Post Response Mode',
    '2',
    'https://openid.net/specs/oauth-v2-form-post-response-mode-1_0.html#rfc.section.2',
  ],
  [
    'draft-ietf-httpapi-ratelimit-headers-10',
    null,
    'https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10',
  ],
])('%s %s links to its published address', (standard, section, address) => {
  expect(addressOf({ standard, section })).toBe(address);
});
