// Excludes prose from mutation tests, because a message may have other words with the same meaning. Prose is a text
// with three or more words; shorter texts are names and values that programs read.

const FEWEST_WORDS = 3;

/**
 * Returns the text of a literal in the syntax tree, with a word for each expression.
 *
 * @param {{ type: string, value?: string, quasis?: { value: { raw: string } }[] }} node
 */
function textOf({ type, value = '', quasis = [] }) {
  if (type === 'StringLiteral') return value;
  return type === 'TemplateLiteral' ? quasis.map((part) => part.value.raw).join('x') : '';
}

const prose = {
  /** @param {{ node: Parameters<typeof textOf>[0] }} path @returns {string | undefined} the reason */
  shouldIgnore: ({ node }) =>
    textOf(node).trim().split(/\s+/).length >= FEWEST_WORDS ? 'prose' : undefined,
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'prose', value: prose }];
