// The deliberate mistakes of a token. Apart from names.ts, because only the form that builds a token shows them.

export {
  conflictOf,
  MISTAKE_GROUPS,
  TOKEN_MISTAKES,
  TOKEN_MISTAKE_NAMES,
} from '../core/records/token-mistakes.ts';
export type { TokenMistake } from '../core/records/token-mistakes.ts';
