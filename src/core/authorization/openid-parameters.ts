// What OpenID Connect adds to an authorization request (Core 3.1.2.1): how a person is to be asked, how
// old a sign-in may be, and whom the request is about.

import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import { readIdTokenHint } from './id-token-hint.ts';
import { findHinted } from '../registry/hinted-user.ts';
import type { TokenRequest } from '../model/request.ts';
import { valueOf } from '../model/request.ts';
import type { Evaluation } from '../checks/trace.ts';
import { pass } from '../checks/trace.ts';

export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;
export type Prompt = (typeof PROMPTS)[number];

export interface OpenIdParameters {
  readonly prompts: ReadonlySet<Prompt>;
  /** Seconds that a sign-in may be old; null: any age. */
  readonly max_age: number | null;
  /** `sub` of the user that the request is about, undefined without; null: nobody we know. */
  readonly hinted_sub: string | null | undefined;
}

type GivenParameters = Pick<TokenRequest, 'parameters'>;

const isPrompt = (word: string): word is Prompt => (PROMPTS as readonly string[]).includes(word);

function readPrompts(request: GivenParameters): ReadonlySet<Prompt> {
  const words = valueOf(request, 'prompt')?.split(' ') ?? [];
  const prompts = new Set<Prompt>();
  for (const word of words) {
    if (!isPrompt(word)) {
      const expected = PROMPTS.join(', ');
      throw new OAuthError('prompt_unknown', { expected, got: word.slice(0, 100) });
    }
    prompts.add(word);
  }
  if (prompts.has('none') && prompts.size > 1) throw new OAuthError('prompt_none_with_others');
  return prompts;
}

function readMaxAge(request: GivenParameters): number | null {
  const max_age = valueOf(request, 'max_age');
  if (max_age === undefined) return null;
  if (!/^\d{1,12}$/.test(max_age)) throw new OAuthError('max_age_malformed');
  return Number(max_age);
}

async function readHint(
  request: GivenParameters,
  { registry, keyring, issuer }: Domain,
  evaluation: Evaluation,
): Promise<string | null | undefined> {
  const token = valueOf(request, 'id_token_hint');
  if (token !== undefined) {
    const { sub } = await readIdTokenHint(token, keyring, issuer(), evaluation);
    pass(evaluation, 'id_token_hint', { got: sub });
    return registry.users.get(sub)?.sub ?? null;
  }
  const hint = valueOf(request, 'login_hint');
  pass(evaluation, 'id_token_hint', { note: 'not used' });
  return hint === undefined ? undefined : (findHinted(hint, registry)?.sub ?? null);
}

/** @throws OAuthError naming the parameter that cannot be met */
export async function readOpenIdParameters(
  request: GivenParameters,
  domain: Domain,
  evaluation: Evaluation,
): Promise<OpenIdParameters> {
  const prompts = readPrompts(request);
  const max_age = readMaxAge(request);
  pass(evaluation, 'prompt', prompts.size === 0 ? undefined : { got: [...prompts].join(' ') });
  return { prompts, max_age, hinted_sub: await readHint(request, domain, evaluation) };
}
