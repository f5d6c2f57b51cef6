// One case of a client check: what the server does wrong during an app's own login, and how a correct client responds
// (docs/reference/client-checks.md).

import type { z } from 'zod/mini';
import { type CaseGroup, GOOD_LOGIN, type Progress } from '../records/client-checks.ts';
import type { Edit, IdTokenSignature } from '../records/edit.ts';
import type { faultSchema } from '../records/fault.ts';
import { adviceOf, type LibraryAdvice, type Topic } from './libraries.ts';

type Rule = Omit<z.input<typeof faultSchema>, 'id' | 'name' | 'enabled'>;

/** What is changed in an ID token or a logout token. */
export interface TokenEdits {
  readonly claims: Edit[];
  readonly header: Edit[];
  readonly sign: IdTokenSignature;
}

export interface ClientCase {
  /** Named with the terms of the standards. */
  readonly id: string;
  readonly group: CaseGroup;
  /** In a few plain words. */
  readonly title: string;
  /** What the server does, in a sentence. */
  readonly text: string;
  /** How a correct client treats the response. */
  readonly expected: 'refuse' | 'accept' | 'either';
  readonly level: 'must' | 'should';
  /** The section of the standard that says so. */
  readonly section: string;
  /** What to look for in the app that gets it wrong. */
  readonly advice: string;
  /** How common libraries make the check. */
  readonly libraries: readonly LibraryAdvice[];
  /** Why a login may not reach it. */
  readonly unreached: string;
  /** The request that shows that the app went on; null if no request shows it. */
  readonly progress: Progress | null;
  /** Whether traffic alone decides: the login may succeed or fail. */
  readonly by_traffic: boolean;
  /** Whether only what is sent for a DPoP proof counts as sent. */
  readonly needs_dpop: boolean;
  /** A text that the app must not show, where neither traffic nor the end of the login decides; else null. */
  readonly look_for: string | null;
  /** Whether the signing key is rotated before. */
  readonly rotates_key: boolean;
  /** What is wrong with the logout token that the app receives after its login; null for a case about something else. */
  readonly logout: TokenEdits | null;
  readonly rules: readonly Rule[];
}

/** What most cases have. */
const USUAL = {
  expected: 'refuse',
  level: 'must',
  progress: null,
  by_traffic: false,
  needs_dpop: false,
  look_for: null,
  rotates_key: false,
  logout: null,
  unreached: 'The login sent no request that this case changes.',
} as const;

export const GOOD_CASE: ClientCase = {
  ...USUAL,
  ...GOOD_LOGIN,
  group: 'token_response',
  libraries: [],
  progress: 'tokens',
  rules: [],
};

interface Common extends Partial<Omit<ClientCase, 'libraries'>> {
  /** What its libraries are asked for. */
  readonly topic?: Topic;
}

export type CaseDraft = Pick<ClientCase, 'id' | 'title' | 'text' | 'section' | 'advice' | 'rules'> &
  Common;

export const casesOf = (
  group: CaseGroup,
  { topic: usual, ...common }: Common & { readonly topic: Topic },
  drafts: readonly CaseDraft[],
): readonly ClientCase[] =>
  drafts.map(({ topic = usual, ...draft }) => ({
    ...USUAL,
    group,
    libraries: adviceOf(topic),
    ...common,
    ...draft,
  }));

const EDITED = {
  response: '/authorize',
  /** Both metadata documents (OpenID Connect Discovery 4, RFC 8414 3). */
  metadata: '/.well-known/o*',
  jwks: '/.well-known/jwks.json',
  token: '/oauth/token',
  userinfo: '/userinfo',
} as const;
type Place = keyof typeof EDITED;
type Effect = Rule['effect'];

/** A rule for what is sent there while the case lasts: another answer, or a change of the normal one. */
export const rule = (
  place: Place,
  effect: Effect,
  { grant_type = null, times = null }: { grant_type?: string | null; times?: number | null } = {},
): Rule => ({
  when: effect.kind === 'answer' ? 'instead' : 'after',
  match: { path: EDITED[place], ...(place === 'token' ? { method: 'POST', grant_type } : {}) },
  times,
  effect,
});

/** A rule that edits the parameters of the authorization response, or members of the JSON sent there. */
export const edited = (place: Place, ...edits: Edit[]): Rule =>
  rule(place, {
    kind: place === 'response' ? 'edit_authorization_response' : 'edit_json',
    edits,
  });

export const set = (member: string, value: unknown): Edit => ({ member, do: 'set', value });
export const remove = (member: string): Edit => ({ member, do: 'remove' });
export const append = (member: string, text: string): Edit => ({ member, do: 'append', text });

/** A JSON error response. */
export const failing = (status: number, error: string, ...headers: [string, string][]) => ({
  kind: 'answer' as const,
  status,
  headers: [['Content-Type', 'application/json'], ['Cache-Control', 'no-store'], ...headers] as [
    string,
    string,
  ][],
  body: JSON.stringify({ error, error_description: 'scripted by a client check' }),
});
