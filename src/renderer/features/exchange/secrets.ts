// Secrets stay hidden until the person asks: masked by the page where it holds them, else left out by
// the engine, which writes a word in their place.

/** What stands where the engine left a secret out. */
export const REDACTED = '[redacted]';

export interface SecretsSwitch {
  readonly revealed: boolean;
  readonly onReveal: (revealed: boolean) => void;
}

const SECRET_FIELDS = [
  /("client_secret"\s*:\s*")((?!\[redacted\]")(?:[^"\\]|\\.)*)(")/g,
  /(client_secret(?:=| = ))((?!\[redacted\])[^&\s]*)()/g,
  /(authorization: Basic )((?!\[redacted\])\S+)()/gi,
];
const DOTS = '••••••••';

/** The text with client secrets masked; codes and tokens stay, they are what one came to see. */
export const masked = (text: string): string =>
  SECRET_FIELDS.reduce((masking, field) => masking.replace(field, `$1${DOTS}$3`), text);

/** Whether there is something to reveal in it. */
export const hidesSecrets = (text: string): boolean =>
  text.includes(REDACTED) || masked(text) !== text;
