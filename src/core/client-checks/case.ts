// One case of a client check: what the server does wrong, once, at an app's own login, and what a correct client makes of
// it (docs/reference/client-checks.md).

import type { z } from 'zod/mini';
import type { CaseGroup, Progress } from '../records/client-checks.ts';
import type { faultSchema } from '../records/fault.ts';
import { adviceOf, type LibraryAdvice, type Topic } from './libraries.ts';

type Rule = Omit<z.input<typeof faultSchema>, 'id' | 'name' | 'enabled'>;

export interface ClientCase {
  /** The name that the field knows it by, where it has one. */
  readonly id: string;
  readonly group: CaseGroup;
  /** In plain words. */
  readonly title: string;
  /** What the server does, in a sentence. */
  readonly text: string;
  /** What a correct client does with it. */
  readonly expected: 'refuse' | 'accept' | 'either';
  readonly level: 'must' | 'should';
  /** Where that is written. */
  readonly section: string;
  /** What to look for in the app that gets it wrong. */
  readonly advice: string;
  /** How common libraries spell that. */
  readonly libraries: readonly LibraryAdvice[];
  /** Why a login may not reach it. */
  readonly unreached: string;
  /** Null where no request tells. */
  readonly progress: Progress | null;
  /** Whether traffic alone decides: the login may succeed or fail. */
  readonly by_traffic: boolean;
  /** Whether the signing key is rotated before. */
  readonly rotates_key: boolean;
  readonly rules: readonly Rule[];
}

/** What most cases have. */
const USUAL = {
  expected: 'refuse',
  level: 'must',
  progress: null,
  by_traffic: false,
  rotates_key: false,
  unreached: 'The login sent no request that this case changes.',
} as const;

interface Common extends Partial<Omit<ClientCase, 'libraries'>> {
  /** What its libraries are asked for. */
  readonly topic?: Topic;
}

export type CaseDraft = Pick<ClientCase, 'id' | 'title' | 'text' | 'section' | 'advice' | 'rules'> &
  Common;

/** The cases of a group, with what they have in common. */
export const casesOf = (
  group: CaseGroup,
  { topic: usual, ...common }: Common & { readonly topic: Topic },
  drafts: readonly CaseDraft[],
): readonly ClientCase[] =>
  drafts.map(({ topic = usual, ...draft }) => ({
    ...{ ...USUAL, group, libraries: adviceOf(topic) },
    ...{ ...common, ...draft },
  }));

const TOKEN = { path: '/oauth/token', method: 'POST' };

/** Rules of the endpoints that the cases change. */
export const at = {
  token: (effect: Rule['effect'], grant_type: string | null = null): Rule => ({
    when: 'after',
    match: { ...TOKEN, grant_type },
    times: null,
    effect,
  }),
  tokenInstead: (effect: Rule['effect'], grant_type: string | null = null): Rule => ({
    when: 'instead',
    match: { ...TOKEN, grant_type },
    times: null,
    effect,
  }),
  response: (...edits: readonly object[]): Rule => ({
    when: 'after',
    match: { path: '/authorize' },
    times: null,
    effect: { kind: 'edit_authorization_response', edits } as Rule['effect'],
  }),
  /** Both metadata documents (OpenID Connect Discovery 4, RFC 8414 3). */
  metadata: (...edits: readonly object[]): Rule => ({
    when: 'after',
    match: { path: '/.well-known/o*' },
    times: null,
    effect: { kind: 'edit_json', edits } as Rule['effect'],
  }),
  json: (path: string, ...edits: readonly object[]): Rule => ({
    when: 'after',
    match: { path },
    times: null,
    effect: { kind: 'edit_json', edits } as Rule['effect'],
  }),
  instead: (path: string, effect: Rule['effect']): Rule => ({
    when: 'instead',
    match: { path },
    times: null,
    effect,
  }),
};
