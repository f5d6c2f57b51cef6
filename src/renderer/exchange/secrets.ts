// Hides secrets until they are revealed: the page masks those that it has, and the engine replaces the others with a
// placeholder.

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
  // A decoded field, alone on its line: a secret may contain spaces.
  /(client_secret = )(?!\[redacted\]).*/g,
  /(authorization: Basic )(?!\[redacted\])\S+/gi,
];

/** Masks to the end of the text if the string is cut short. */
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

/** Masks client secrets. Codes and tokens stay visible, since they are what people look for here. */
export const masked = (text: string): string =>
  OTHER_FIELDS.reduce((rest, field) => rest.replace(field, `$1${DOTS}`), maskedInJson(text));

/** Whether the text contains anything to reveal. */
export const hidesSecrets = (text: string): boolean =>
  text.includes(REDACTED) || masked(text) !== text;
