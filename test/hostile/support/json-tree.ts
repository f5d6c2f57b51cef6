// Generates JSON: a tree with the expected parse result, and its text with escapes and whitespace wherever JSON allows
// them.

import fc from 'fast-check';

export type Tree =
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null }
  | { readonly kind: 'array'; readonly items: readonly Tree[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, Tree])[] };

export const NAMES = fc.oneof(
  fc.constantFrom('a', 'b', 'client_id', 'a"b', 'a\\', '{', ',', ':', '[0]', 'a.b', '', 'é'),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

const scalar = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 10 }),
    fc.constantFrom('"', '\\', '",', '{"a":"b"}', '\u0000', 'a'.repeat(300)),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null),
  )
  .map((value): Tree => ({ kind: 'scalar', value: Object.is(value, -0) ? 0 : value }));

export const TREE = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('tree'), { maxLength: 4 }).map((items): Tree => ({ kind: 'array', items })),
    fc
      .array(fc.tuple(NAMES, tie('tree')), { maxLength: 5 })
      .map((members): Tree => ({ kind: 'object', members })),
  ),
})).tree;

const BLANKS = ['', '', '', ' ', '\n', '\t \r\n'];

/** Draws choices from a list of numbers, starting over at its end. */
export function createWriter(choices: readonly number[]) {
  let drawn = 0;
  const draw = (count: number): number => {
    drawn += 1;
    return (choices[drawn % Math.max(1, choices.length)] ?? 0) % count;
  };
  const blank = () => BLANKS[draw(BLANKS.length)] ?? '';
  const unit = (character: string) =>
    draw(4) === 0
      ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
      : JSON.stringify(character).slice(1, -1);
  /** Surrogates are not escaped, because both halves of a pair would have to be. */
  const string = (text: string) =>
    `"${Array.from(text, (point) => (point.length === 1 ? unit(point) : point)).join('')}"`;
  const between = (parts: readonly string[]) =>
    parts.map((part) => blank() + part + blank()).join(',');
  const write = (tree: Tree): string => {
    if (tree.kind === 'array') return `[${between(tree.items.map(write))}${blank()}]`;
    if (tree.kind === 'object') {
      const members = tree.members.map(
        ([name, value]) => `${string(name)}${blank()}:${blank()}${write(value)}`,
      );
      return `{${between(members)}${blank()}}`;
    }
    return typeof tree.value === 'string' ? string(tree.value) : JSON.stringify(tree.value);
  };
  return { write, string };
}

/** Whether some object has a repeated name; simple rather than fast. */
export function hasRepeat(tree: Tree): boolean {
  if (tree.kind === 'array') return tree.items.some(hasRepeat);
  if (tree.kind === 'scalar') return false;
  const names = tree.members.map(([name]) => name);
  return (
    names.some((name, index) => names.indexOf(name) !== index) ||
    tree.members.some(([, value]) => hasRepeat(value))
  );
}
