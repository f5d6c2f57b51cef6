// The variables of a run, and their use in values that steps send and expect: {{code}}, {{code|form}}.

import type { Client } from '../../control/schemas.ts';
import type { ScenarioUser } from '../runner/scenario-sandbox.ts';
import { encodeBase64url } from '../../oauth/base64.ts';
import { basicAuthorization } from '../../oauth/client-authentication.ts';
import { formBody } from '../../oauth/fields.ts';
import { textOf } from '../../json.ts';

export const VARIABLE = /\{\{\s*([\w.-]+)\s*(?:\|\s*(\w+)\s*)?\}\}/g;
/** A text that is only a variable, without a filter. */
export const WHOLE_VARIABLE = /^\{\{\s*([\w.-]+)\s*\}\}$/;

/** Thrown if a step needs a value that no earlier step provided. */
export class MissingValueError extends Error {
  override readonly name = 'MissingValueError';
}

/** Changes the case of the path, or of the host if the path has no letters. */
function inOtherCase(uri: string): string {
  const last = uri.lastIndexOf('/') + 1;
  const letters = uri.slice(last).search(/[a-zA-Z]/);
  if (letters === -1) return uri.toUpperCase();
  const at = last + letters;
  const letter = uri.charAt(at);
  const swapped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return uri.slice(0, at) + swapped + uri.slice(at + 1);
}

/** Changes one letter of the signature, or of the end of an opaque token. */
function altered(token: string): string {
  const at = token.lastIndexOf('.') + 1;
  const letter = token.charAt(at);
  return `${token.slice(0, at)}${letter === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}

/** Returns the same claims without a signature (RFC 7515 appendix A.5). */
function unsigned(token: string): string {
  const claims = token.split('.')[1] ?? '';
  const header = new TextEncoder().encode(JSON.stringify({ alg: 'none', typ: 'at+jwt' }));
  return `${encodeBase64url(header)}.${claims}.`;
}

/** Replaces the last character with another one that is valid in user codes. */
function mistyped(user_code: string): string {
  const last = user_code.at(-1) ?? '';
  return `${user_code.slice(0, -1)}${/[B0]/.test(last) ? '9' : last === '9' ? '0' : 'B'}`;
}

/** The filters that change a value: {{redirect_uri|other_case}}. */
export const FILTERS = {
  json: (value) => JSON.stringify(value).slice(1, -1),
  form: (value) => formBody([['', value]]).slice(1),
  other_slash: (uri) => (uri.endsWith('/') ? uri.slice(0, -1) : `${uri}/`),
  other_case: inOtherCase,
  altered,
  unsigned,
  mistyped,
} as const satisfies Record<string, (value: string) => string>;

const isFilter = (name: string): name is keyof typeof FILTERS => Object.hasOwn(FILTERS, name);

export type Variables = ReturnType<typeof createVariables>;

const SECRET =
  /(^|\.)(code|device_code|user_code|client_secret|code_verifier|password|basic|assertion)$|token/;

export function createVariables(
  values = new Map<string, unknown>(),
  secrets = new Map<string, string>(),
) {
  const valueOf = (name: string): unknown => {
    const value = values.get(name);
    if (value !== undefined && value !== null) return value;
    const [, party] = /^(client|user)\./.exec(name) ?? [];
    const why = party === undefined ? 'no response so far contained it' : `the ${party} has none`;
    throw new MissingValueError(`{{${name}}} has no value, because ${why}`);
  };
  const filteredText = (name: string, filter: string | undefined): string => {
    const text = textOf(valueOf(name));
    return filter !== undefined && isFilter(filter) ? FILTERS[filter](text) : text;
  };
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const [, name] = WHOLE_VARIABLE.exec(value) ?? [];
      // A number remains a number.
      if (name !== undefined) return valueOf(name);
      return value.replace(VARIABLE, (_, inner: string, filter?: string) =>
        filteredText(inner, filter),
      );
    }
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, filled(member)]),
    );
  };
  const has = (name: string) => (values.get(name) ?? null) !== null;
  return {
    set: (name: string, value: unknown) => {
      values.set(name, value);
      if (typeof value === 'string' && SECRET.test(name)) secrets.set(value, name);
    },
    has,
    /** Returns the value with the variables in all of its texts replaced. @throws MissingValueError */
    filled: <T>(value: T) => filled(value) as T,
    canFill: (text: string) => [...text.matchAll(VARIABLE)].every(([, name = '']) => has(name)),
    /** Values to redact in reports, with their names there. */
    secrets: () => [...secrets],
    /** Returns a copy that is independent of later changes. */
    fork: () => createVariables(new Map(values), new Map(secrets)),
  };
}

/** Sets the client and user that a step names. */
export function setParties(
  { set }: Variables,
  client: Client | undefined,
  user: ScenarioUser | undefined,
): void {
  set('client.client_id', client?.client_id);
  set('client.client_secret', client?.client_secret);
  set('client.basic', client === undefined ? undefined : basicAuthorization(client));
  set('client.redirect_uri', client?.redirect_uris[0]);
  set('user.sub', user?.sub);
  set('user.password', user?.password);
}
