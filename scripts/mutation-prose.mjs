// Tells the mutation tests to leave prose as it is, as a message may say the same in other words. Prose is
// a text of three words or more; shorter ones are names and values that programs read.

const FEWEST_WORDS = 3;

/**
 * What a literal of the syntax tree says, with a word for each expression in it.
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
