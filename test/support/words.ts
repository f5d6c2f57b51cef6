// Lists of words, which take a line each as an array of strings.

/** Splits texts at their spaces: `words('a b', 'c')` is `['a', 'b', 'c']`. */
export const words = (...lines: readonly string[]): string[] =>
  lines.flatMap((line) => line.split(' '));
