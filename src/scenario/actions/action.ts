// The interface of an action: its schema, the members of its response, the variables it needs and provides, its
// title, and how it is performed. Related actions share a file; index.ts lists all actions.

import type { z as core } from 'zod/mini';
import { membersOf, textOf } from '../../json.ts';
import type { PkcePair } from '../../oauth/pkce.ts';
import type { Fields, HttpRequest } from '../../oauth/fields.ts';
import type { Prover } from '../../oauth/dpop.ts';
import { ASSERTION_FIELDS, CREDENTIAL_FIELDS, KEPT_MEMBERS } from '../defaults.ts';
import type { ScenarioSandbox, WireRequest } from '../runner/scenario-sandbox.ts';
import type { Answer } from './answer.ts';
import type { RunProofs } from './proofs.ts';
import { setParties, type Variables } from './variables.ts';

/** The context of the steps in one run. */
export interface Run {
  readonly sandbox: ScenarioSandbox;
  readonly variables: Variables;
  /** Returns the path at the server of one below the issuer; under a provider shape, endpoints have paths of their own. */
  readonly serverPath: (path: string) => string;
  /**
   * Sends a request and resolves with its response and the exchange that the sandbox recorded.
   * @param signal aborts the request
   */
  readonly request: (request: WireRequest, signal?: AbortSignal) => Promise<Answer>;
  /** The keys that sign the run's proofs. */
  readonly prover: Prover;
  readonly proofs: RunProofs;
  /** Every code that a step obtained, with the values that its token request must send. */
  readonly codes: Map<string, CodeFacts>;
}

/** The parts of a run that compose requests without sending them. */
export interface Composing extends Pick<Run, 'variables' | 'serverPath'> {
  readonly sandbox: Pick<ScenarioSandbox, 'clients' | 'users'>;
}

interface CodeFacts {
  readonly redirect_uri: unknown;
  readonly audience: unknown;
  readonly code_verifier: unknown;
}

/** A value that an action sends by default and an earlier step must provide. */
export interface Needed {
  readonly variable: string;
  /** A step that provides the value, as JSON. */
  readonly provided_by: string;
  /** The field that sends the value. */
  readonly field: string;
  /** Whether the earlier step is optional; without it the field is not sent. */
  readonly optional?: true;
}

export interface Action<P> {
  readonly schema: core.ZodMiniType<unknown, P>;
  /** The response: HTTP with a trace, only a body from control, or none. */
  readonly answer: 'response' | 'body' | 'none';
  /** Whether the action acts for a client, which the workspace must have. */
  readonly for_client?: true;
  /** The variables that the action provides for later steps; members may be incomplete. */
  readonly provides: (members: Members) => readonly string[];
  /** The credential that the action sends unless a field replaces it; null for none. */
  readonly needs?: (members: Members) => Needed | null;
  /** The title in reports. */
  readonly title: (parameters: P) => string;
  /** Performs the action once. @throws MissingValueError, and errors of control */
  readonly perform: (parameters: P, run: Run) => Promise<Answer | null>;
  /** Returns the action's request, if it sends exactly one. @throws MissingValueError */
  readonly compose?: (parameters: P, run: Composing) => WireRequest;
}

export type Members = Readonly<Record<string, unknown>>;

// Functions shared by several actions.

/** The fields with which the client authenticates, by client_auth. */
export const AUTH_FIELDS = {
  body: CREDENTIAL_FIELDS,
  basic: {},
  client_secret_jwt: ASSERTION_FIELDS,
  private_key_jwt: ASSERTION_FIELDS,
  none: {},
} as const satisfies Record<string, Readonly<Record<string, string>>>;

/** Returns the members without undefined ones. */
export const given = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

/** Returns the parties in a title: ` as demo-app for ada`. */
export const inTitle = (parties: {
  readonly client?: string | undefined;
  readonly user?: string | undefined;
}): string =>
  `${parties.client === undefined ? '' : ` as ${parties.client}`}${parties.user === undefined ? '' : ` for ${parties.user}`}`;

const named = <T>(all: readonly T[], key: keyof T, name: unknown): T | undefined =>
  name === undefined ? all[0] : all.find((record) => record[key] === name);

/** Sets the client and user that the step names, or the first ones. */
export function chooseParties({ sandbox, variables }: Composing, order: Members): void {
  const client = named(sandbox.clients, 'client_id', order['client']);
  const user = named(sandbox.users, 'sub', order['user']);
  setParties(variables, client, user);
}

export const TOKENS = ['access_token', 'refresh_token', 'id_token'] as const;

export function keepCredentials({ variables }: Run, { body }: Answer): void {
  const members = membersOf(body);
  for (const name of KEPT_MEMBERS) {
    if (typeof members[name] === 'string') variables.set(name, members[name]);
  }
}

/** Normalizes header names, so that a header of the step replaces the default one. */
export function withHeaders(usual: HeaderRecord, own: HeaderRecord = {}): Fields {
  const capitalized = (name: string) =>
    name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
  const all = Object.entries({ ...usual, ...own }).map(
    ([name, value]) => [capitalized(name), textOf(value)] as const,
  );
  return [...new Map(all)];
}

export const toEndpoint = (
  { serverPath }: Composing,
  { headers: usual, ...request }: HttpRequest,
  own?: HeaderRecord,
): WireRequest => ({
  ...request,
  path: serverPath(request.path),
  headers: withHeaders(usual, own),
});

function setCode({ set }: Variables, code: string, facts: CodeFacts): void {
  set('code', code);
  for (const [name, value] of Object.entries(facts)) set(name, value);
}

export function keepCode(
  { variables, sandbox, codes }: Run,
  code: unknown,
  about: { redirect_uri: unknown; audience: unknown; pkce: PkcePair | null },
): void {
  if (typeof code !== 'string') return;
  const { redirect_uri, audience, pkce: pair } = about;
  const facts = {
    redirect_uri,
    audience: audience ?? sandbox.issuer,
    code_verifier: pair?.verifier,
  };
  codes.set(code, facts);
  setCode(variables, code, facts);
}

/** Sends the values that belong to the step's code; the variables keep those of the newest code. */
export async function withFactsOf<T>(
  code: unknown,
  { variables, codes }: Run,
  send: () => Promise<T>,
): Promise<T> {
  const filled = typeof code === 'string' ? variables.filled(code) : '';
  const facts = codes.get(filled);
  const newest = [...codes].at(-1);
  if (facts === undefined || newest === undefined) return send();
  setCode(variables, filled, facts);
  try {
    return await send();
  } finally {
    setCode(variables, ...newest);
  }
}

export type Parameters = Readonly<Record<string, string | readonly string[] | null>>;
type HeaderRecord = Readonly<Record<string, string>>;

/** An array repeats the name; null is not sent. A variable may hold a value that is no text. */
export const fieldsOf = (values: Parameters): Fields =>
  Object.entries(values).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === null ? [] : [[name, textOf(one)] as const])),
  );

/** Returns the default fields of a step that have values, with the step's own fields in their place. */
export function mergedFields(
  usual: Readonly<Record<string, string>>,
  own: Members | undefined,
  { canFill, filled }: Variables,
): Members {
  const known = Object.entries(usual).filter(
    ([name, template]) => own?.[name] === undefined && canFill(template),
  );
  const other = Object.entries(own ?? {}).filter(([, value]) => value !== null);
  return filled(Object.fromEntries([...known, ...other]));
}
