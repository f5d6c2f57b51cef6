// Takes secrets out of what went over the wire before anybody else sees it: whatever stands under the
// name of a secret, and in requests whatever looks like one of our credentials.

export const REDACTED = '[redacted]';

const SECRET_NAMES = new Set([
  'client_secret',
  'client_assertion',
  'code',
  'code_verifier',
  'access_token',
  'refresh_token',
  'id_token',
  'id_token_hint',
  'subject_token',
  'actor_token',
  'assertion',
  'password',
  'token',
  // Names the form of the consent page.
  'grantbench_form',
]);

/** Long values that are no secrets. */
const OPEN_NAMES = new Set(['code_challenge', 'state', 'nonce']);

/** 256 bits in base64url, or a JWT. */
const CREDENTIAL = /^[\w-]{43,}$|^eyJ[\w-]+\.[\w-]*\.[\w-]*$/;
const CREDENTIALS = /(?<![\w-])(?:eyJ[\w-]+\.[\w-]*\.[\w-]*|[\w-]{43,})(?![\w-])/g;

const NAMES = [...SECRET_NAMES].join('|');
const AFTER_NAME = new RegExp(
  `\\b(${NAMES})\\b(["']?(?:\\s*[:=]\\s*|\\s*\\r?\\n\\r?\\n))("[^"]*"?|'[^']*'?|[^\\s&,;}"']+)`,
  'gi',
);

type IsSecret = (name: string, value: string) => boolean;

/** In our own answers the name decides: keys and identifiers look like credentials. */
const secretInAnswer: IsSecret = (name) => SECRET_NAMES.has(name.toLowerCase());

const secretInRequest: IsSecret = (name, value) =>
  secretInAnswer(name, value) || (!OPEN_NAMES.has(name) && CREDENTIAL.test(value));

function decodeForm(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

function redactForm(text: string, isSecret: IsSecret): string {
  return text
    .split('&')
    .map((pair) => {
      const mark = pair.indexOf('=');
      if (mark < 0 || mark === pair.length - 1) return pair;
      const name = decodeForm(pair.slice(0, mark)).trim();
      const secret = isSecret(name, decodeForm(pair.slice(mark + 1)).trim());
      return secret ? `${pair.slice(0, mark)}=${REDACTED}` : pair;
    })
    .join('&');
}

const JSON_TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[{}[\],:]|[^\s"{}[\],:]+/g;

function unquote(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token.replace(/^"|"$/g, '');
  }
}

/** Index of the token that ends the value beginning at this one. */
function endOfValue(tokens: readonly RegExpExecArray[], start: number): number {
  let depth = 0;
  for (let index = start; index < tokens.length; index++) {
    const token = tokens[index]?.[0];
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth <= 0) return index;
  }
  return tokens.length - 1;
}

/** Keeps the text as it was written but for the values; works on malformed JSON too. */
function redactJson(text: string, isSecret: IsSecret): string {
  const tokens = [...text.matchAll(JSON_TOKEN)];
  let result = '';
  let copied = 0;
  for (let index = 0; index + 2 < tokens.length; index++) {
    const [name, colon, value] = tokens.slice(index, index + 3);
    if (name?.[0][0] !== '"' || colon?.[0] !== ':' || value === undefined) continue;
    if (!isSecret(unquote(name[0]), unquote(value[0]))) continue;
    const end = endOfValue(tokens, index + 2);
    const last = tokens[end] ?? value;
    result += `${text.slice(copied, value.index)}"${REDACTED}"`;
    copied = last.index + last[0].length;
    index = end;
  }
  return result + text.slice(copied);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const isForm = (text: string) => /^[\w.~*%+-]+=[^\s"{}]*(?:&[\w.~*%+-]+=[^\s"{}]*)*$/.test(text);

/** What can be read neither way: everything after a secret's name, and all that looks like one. */
function redactUnreadable(text: string): string {
  return redactForm(redactJson(text, secretInRequest), secretInRequest)
    .replace(AFTER_NAME, (_, name: string, mark: string, value: string) => {
      const quote = /^["']/.exec(value)?.[0] ?? '';
      return `${name}${mark}${quote}${REDACTED}${quote}`;
    })
    .replace(CREDENTIALS, REDACTED);
}

/** Texts too short would take harmless words along. */
const LEAST_KNOWN = 6;

/**
 * A request's body without secrets.
 * @param known secrets that are to go wherever they stand
 */
export function redactRequestBody(text: string, known: readonly string[]): string {
  const redacted = isJson(text)
    ? redactJson(text, secretInRequest)
    : isForm(text)
      ? redactForm(text, secretInRequest)
      : redactUnreadable(text);
  return known
    .filter((secret) => secret.length >= LEAST_KNOWN)
    .reduce((rest, secret) => rest.replaceAll(secret, REDACTED), redacted);
}

/** Not whether it is JSON: under a fault, an answer may end before its JSON does. */
const BEGINS_AS_JSON = /^\s*[{[]/;

/** A field of a form on a page of ours, also where a fault cut it short. */
const FORM_FIELD = /(\bname="([^"]*)"\s+value=")[^"]*/g;

function redactPage(text: string): string {
  return text.replace(FORM_FIELD, (field, before: string, name: string) =>
    secretInAnswer(name, '') ? `${before}${REDACTED}` : field,
  );
}

export function redactResponseBody(text: string): string {
  return BEGINS_AS_JSON.test(text) ? redactJson(text, secretInAnswer) : redactPage(text);
}

/** A path with its query, or a URL, without secrets. */
export function redactTarget(target: string): string {
  const [path = '', ...rest] = target.split(/([?#])/);
  const query = rest.map((part) => redactForm(part, secretInRequest)).join('');
  return path.replace(CREDENTIALS, REDACTED) + query;
}

const SECRET_HEADERS = /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key)$/i;
const URL_HEADERS = /^(location|referer|origin)$/i;
/** Long values that are no secrets: trace context, and what our own answers carry. */
const OPEN_HEADERS = /^(traceparent|etag|content-security-policy)$/i;

export function redactHeader(name: string, value: string): string {
  if (SECRET_HEADERS.test(name)) {
    const scheme = /^(?:basic|bearer|digest|dpop|negotiate)(?=\s)/i.exec(value)?.[0];
    return scheme === undefined ? REDACTED : `${scheme} ${REDACTED}`;
  }
  if (URL_HEADERS.test(name)) return redactTarget(value);
  return OPEN_HEADERS.test(name) ? value : value.replace(CREDENTIALS, REDACTED);
}
