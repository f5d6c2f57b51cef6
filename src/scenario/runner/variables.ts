// The variables of a running scenario, and their places in what its steps send and expect.

import type { Client } from '../../control/schemas.ts';
import { basicAuthorization } from '../../oauth/client-authentication.ts';
import type { User } from '../../core/records/schemas.ts';

const VARIABLE = /\{\{\s*([\w.-]+)\s*\}\}/g;
const WHOLE = /^\{\{\s*([\w.-]+)\s*\}\}$/;

/** A step needs a value that no earlier step brought. */
export class MissingValueError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MissingValueError';
  }
}

export interface Variables {
  readonly set: (name: string, value: unknown) => void;
  readonly has: (name: string) => boolean;
  /** Texts at any depth with their variables filled in. @throws MissingValueError */
  readonly filled: <T>(value: T) => T;
  /** Whether all the variables of a text have values. */
  readonly canFill: (text: string) => boolean;
  /** Values to redact in reports, with what each is called there. */
  readonly secrets: () => readonly (readonly [value: string, name: string])[];
}

const SECRET =
  /(^|\.)(code|device_code|user_code|client_secret|code_verifier|password|basic)$|token/;

export function createVariables(): Variables {
  const values = new Map<string, unknown>();
  const secrets = new Map<string, string>();
  const valueOf = (name: string): unknown => {
    const value = values.get(name);
    if (value !== undefined && value !== null) return value;
    throw new MissingValueError(`{{${name}}} has no value: no response so far contained one`);
  };
  const textOf = (name: string): string => {
    const value = valueOf(name);
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const [, name] = WHOLE.exec(value) ?? [];
      // A number stays one.
      if (name !== undefined) return valueOf(name);
      return value.replace(VARIABLE, (_, inner: string) => textOf(inner));
    }
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, filled(member)]),
    );
  };
  const has = (name: string) => (values.get(name) ?? null) !== null;
  return {
    set: (name, value) => {
      values.set(name, value);
      if (typeof value === 'string' && SECRET.test(name)) secrets.set(value, name);
    },
    has,
    filled: <T>(value: T) => filled(value) as T,
    canFill: (text) => [...text.matchAll(VARIABLE)].every(([, name = '']) => has(name)),
    secrets: () => [...secrets],
  };
}

/** Sets the client and the user that a step names. */
export function setSubjects(
  { set }: Variables,
  client: Client | undefined,
  user: User | undefined,
) {
  set('client.client_id', client?.client_id);
  set('client.client_secret', client?.client_secret);
  set('client.basic', client === undefined ? undefined : basicAuthorization(client));
  set('client.redirect_uri', client?.redirect_uris[0]);
  set('user.sub', user?.sub);
  set('user.password', user?.password);
}
