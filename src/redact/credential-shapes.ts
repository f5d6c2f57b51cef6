// Finds text that looks like a credential of this service although its value is not known: 256 bits in base64url, and
// anything that begins like a JWT. Keys and identifiers look like the former; where they are shown, a long run counts
// only if it contains an issued credential.

import type { Layer } from './layers.ts';
import { REDACTED, type Span } from './spans.ts';

/** The length of 256 bits in base64url: the form of codes, refresh tokens, opaque access tokens and sessions. */
const CREDENTIAL_LENGTH = 43;

const JWT_BEGINNING = 'eyJ';

/** Letters, digits, - and _, the characters of names and credentials. */
const WORD_CODES = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
  WORD_CODES[char.charCodeAt(0)] = 1;
}

export const isWordCode = (code: number): boolean => WORD_CODES[code] === 1;

/** Returns where the run of letters, digits, - and _ ends that contains this index. */
export function wordEnd(text: string, index: number): number {
  let end = index;
  while (end < text.length && isWordCode(text.charCodeAt(end))) end += 1;
  return end;
}

/** Returns where a JWS or JWE ends whose first part ends here; -1 if it has fewer than three parts. */
function jwtEnd(text: string, first: number): number {
  let end = first;
  let parts = 1;
  while (text[end] === '.') {
    const next = wordEnd(text, end + 1);
    if (parts >= 3 && next === end + 1) break;
    parts += 1;
    end = next;
  }
  return parts >= 3 ? end : -1;
}

/** Returns where credentials begin in a run that were issued and are still stored. */
type FindIssued = (run: string) => readonly number[];

/** The last digit of 256 bits in base64url has four bits and two zeros. */
const LAST_DIGITS = new Set('AEIMQUYcgkosw048');

/**
 * Caches the result for each run, because a run without escapes is the same in every layer of a text.
 * @param isIssued whether this was issued and is still stored
 */
export function createFindIssued(isIssued: (value: string) => boolean): FindIssued {
  const found = new Map<string, readonly number[]>();
  return (run) => {
    const known = found.get(run);
    if (known !== undefined) return known;
    const starts: number[] = [];
    for (let end = CREDENTIAL_LENGTH; end <= run.length; end += 1) {
      if (!LAST_DIGITS.has(run.charAt(end - 1))) continue;
      const first = end - CREDENTIAL_LENGTH;
      if (isIssued(run.slice(first, end))) starts.push(first);
    }
    found.set(run, starts);
    return starts;
  };
}

/** A body may have been cut within a credential, of which this many characters are enough. */
const LEAST_OF_CUT = 16;

/** Whether a text looks random rather than like the name of a parameter or a grant. */
const looksRandom = (text: string): boolean => /[A-Z\d]/.test(text);

export interface ShapeRules {
  /** Whether the text may end within a credential. */
  readonly may_be_cut: boolean;
  /** Whether the text here may be long without being a secret. */
  readonly isOpen: (start: number) => boolean;
  readonly findIssued: FindIssued;
}

/** Returns where credentials seem to be in the layer, as positions in the original text. */
export function shapesIn(layer: Layer, rules: ShapeRules): Span[] {
  const { text } = layer;
  const spans: Span[] = [];
  const hide = (from: number, to: number) => {
    spans.push({ start: layer.start(from), end: layer.end(to), text: REDACTED });
  };
  for (let from = 0; from < text.length; from += 1) {
    let end = wordEnd(text, from);
    if (end === from) continue;
    const jwt = text.startsWith(JWT_BEGINNING, from) ? jwtEnd(text, end) : -1;
    if (jwt > 0) {
      end = jwt;
      hide(from, end);
    } else if (end - from >= CREDENTIAL_LENGTH) {
      if (!rules.isOpen(layer.start(from))) hide(from, end);
      else {
        for (const start of rules.findIssued(text.slice(from, end))) {
          hide(from + start, from + start + CREDENTIAL_LENGTH);
        }
      }
    } else if (rules.may_be_cut && end === text.length && end - from >= LEAST_OF_CUT) {
      if (looksRandom(text.slice(from, end))) hide(from, end);
    }
    from = end;
  }
  return spans;
}
