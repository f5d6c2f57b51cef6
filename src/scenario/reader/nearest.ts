// The word that was probably meant by a misspelt one. Comparing words takes time that grows with their
// length and number, so both have bounds.

import { distance } from 'fastest-levenshtein';

/** A longer word is no slip of the fingers. */
const LONGEST = 100;
/** Of the words that are known, so many are listed. */
const MOST_LISTED = 50;
/** Nobody reads the hints of more problems at once. */
const MOST_HINTS = 100;

/** null when none is near enough to be a slip of the fingers. */
function nearest(word: string, known: readonly string[]): string | null {
  if (word.length > LONGEST) return null;
  const slips = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3));
  const measured = known
    .filter((name) => Math.abs(name.length - word.length) <= slips)
    .map((name) => ({ name, far: distance(word.toLowerCase(), name.toLowerCase()) }));
  const [best] = measured.sort((a, b) => a.far - b.far);
  return best !== undefined && best.far <= slips ? best.name : null;
}

function listOf(known: readonly string[]): string {
  if (known.length === 0) return '';
  const listed = known.filter((name) => name.length <= LONGEST).slice(0, MOST_LISTED);
  const more = known.length - listed.length;
  const all = more > 0 ? [...listed, `${more} more`] : listed;
  return `; there ${known.length === 1 ? 'is' : 'are'} ${all.join(', ')}`;
}

/** As an end of a sentence: "; did you mean body?", or what there is; empty once there were many. */
export type Hint = (word: string, known: Iterable<string>) => string;

export function createHint(): Hint {
  let given = 0;
  return (word, known) => {
    if (given === MOST_HINTS) return '';
    given += 1;
    const words = [...known];
    const near = nearest(word, words);
    return near === null ? listOf(words) : `; did you mean ${near}?`;
  };
}
