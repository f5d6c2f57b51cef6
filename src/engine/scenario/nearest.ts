// The word that was probably meant.

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const changed = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** null when none is near enough to be a slip of the fingers. */
export function nearest(word: string, known: readonly string[]): string | null {
  const measured = known.map((name) => ({
    name,
    far: distance(word.toLowerCase(), name.toLowerCase()),
  }));
  const [best] = measured.sort((a, b) => a.far - b.far);
  const slips = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3));
  return best !== undefined && best.far <= slips ? best.name : null;
}

/** As an end of a sentence: "; did you mean body?", or what there is. */
export function hint(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  if (near !== null) return `; did you mean ${near}?`;
  return known.length === 0
    ? ''
    : `; there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`;
}
