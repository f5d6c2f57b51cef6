// The fields of a request in order, the two body formats, and the parameters of an authorization response.

/** Name and value of each field in order. Names may be repeated. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** Fields of a JSON body, whose values need not be strings. */
export type Members = readonly (readonly [name: string, value: unknown])[];

/** A request to the server. `path` begins with a slash and may have a query. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The two body formats of the token endpoint: RFC 6749 4.1.3 has forms; the specification also has JSON. */
export type BodyFormat = 'json' | 'form';

/** Creates the JSON text without an object, so that repeated names are kept. */
export function jsonBody(members: Members): string {
  const lines = members.map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{\n${lines.join(',\n')}\n}`;
}

/** application/x-www-form-urlencoded in UTF-8 (RFC 6749 appendix B); also for query strings. */
export const formBody = (fields: Members): string =>
  new URLSearchParams(
    fields.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

/**
 * Returns the first header with the name, or null. Header names are case-insensitive (RFC 9110 5.1).
 * @param name in lower case
 */
export const headerOf = (headers: Fields, name: string): string | null =>
  headers.find(([header]) => header.toLowerCase() === name)?.[1] ?? null;

/** Returns the parameters in the query and in the fragment of a redirect's Location (RFC 6749 4.1.2). */
export function redirectParameters(location: string): URLSearchParams {
  const [, parameters = ''] = /[?#](.*)$/s.exec(location) ?? [];
  return new URLSearchParams(parameters.replace('#', '&'));
}

/** One of these is in every authorization response. */
const RESPONSE_PARAMETERS = ['code', 'access_token', 'id_token', 'response', 'error'];
const INPUT = /<input\b[^<>]*>/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? all;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });

/**
 * Returns the parameters of a page that posts them to the app (OAuth 2.0 Form Post Response Mode 2); null for any other
 * page.
 */
export function formPostParameters(page: string): URLSearchParams | null {
  const parameters = new URLSearchParams();
  for (const [input] of page.matchAll(INPUT)) {
    const [, name] = /\sname="([^"]*)"/i.exec(input) ?? [];
    const [, value = ''] = /\svalue="([^"]*)"/i.exec(input) ?? [];
    if (name !== undefined) parameters.append(unescaped(name), unescaped(value));
  }
  return RESPONSE_PARAMETERS.some((name) => parameters.has(name)) ? parameters : null;
}
