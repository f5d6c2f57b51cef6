// Secrets stay hidden until the person asks: masked by the page where it holds them, else left out by
// the engine, which writes a word in their place.

import { afterQuoted } from '../../redact/fields.ts';
import { REDACTED } from '../../redact/spans.ts';

export interface SecretsSwitch {
  readonly revealed: boolean;
  readonly onReveal: (revealed: boolean) => void;
}

const DOTS = '••••••••';

const JSON_NAME = /"client_secret"\s*:\s*(?=")/g;
const OTHER_FIELDS = [
  /(client_secret=)(?!\[redacted\])[^&\s]*/g,
  // Decoded, one a line: a secret may have blanks.
  /(client_secret = )(?!\[redacted\]).*/g,
  /(authorization: Basic )(?!\[redacted\])\S+/gi,
];

/** Of a string that is cut short, all there is. */
function maskedInJson(text: string): string {
  let masking = '';
  let from = 0;
  for (const { index, 0: name } of text.matchAll(JSON_NAME)) {
    const start = index + name.length;
    if (start < from || text.startsWith(`"${REDACTED}"`, start)) continue;
    masking += `${text.slice(from, start)}"${DOTS}"`;
    from = afterQuoted(text, start);
  }
  return masking + text.slice(from);
}

/** The text with client secrets masked; codes and tokens stay, they are what one came to see. */
export const masked = (text: string): string =>
  OTHER_FIELDS.reduce((rest, field) => rest.replace(field, `$1${DOTS}`), maskedInJson(text));

/** Whether there is something to reveal in it. */
export const hidesSecrets = (text: string): boolean =>
  text.includes(REDACTED) || masked(text) !== text;
