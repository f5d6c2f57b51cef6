// The fields of a request in the order they are sent, the two formats of a body, and the parameters of a redirect.

/** Name and value of each field, in the order they are sent; a repeated name stays repeated. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** Fields as a JSON body can hold them: with values that are no strings. */
export type Members = readonly (readonly [name: string, value: unknown])[];

/** A request to the server that it is said to: `path` begins with a slash and may have a query. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The two body formats of the token endpoint: RFC 6749 4.1.3 has forms, our specification JSON too. */
export type BodyFormat = 'json' | 'form';

/** JSON by hand, so that a repeated name is written twice instead of overwritten. */
export function jsonBody(members: Members): string {
  const lines = members.map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{\n${lines.join(',\n')}\n}`;
}

/** application/x-www-form-urlencoded in UTF-8 (RFC 6749 appendix B); a query is written alike. */
export const formBody = (fields: Members): string =>
  new URLSearchParams(
    fields.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

/**
 * The first header of the name, or null. Names of headers have no case (RFC 9110 5.1).
 * @param name in lower case
 */
export const headerOf = (headers: Fields, name: string): string | null =>
  headers.find(([header]) => header.toLowerCase() === name)?.[1] ?? null;

/** The parameters in the query of a redirect's Location, and in its fragment (RFC 6749 4.1.2); none where there are none. */
export function redirectParameters(location: string): URLSearchParams {
  const [, parameters = ''] = /[?#](.*)$/s.exec(location) ?? [];
  return new URLSearchParams(parameters.replace('#', '&'));
}
