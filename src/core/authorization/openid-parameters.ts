// The parameters that OpenID Connect adds to an authorization request (Core 3.1.2.1): whether and how the user is
// prompted, how old a sign-in may be, and which user the request is about.

import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import { findHinted } from '../registry/lists.ts';
import { type TokenRequest, valueOf } from '../model/request.ts';
import { type Evaluation, note, pass } from '../checks/trace.ts';
import type { Keyring } from '../issuing/keyring.ts';

export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;
type Prompt = (typeof PROMPTS)[number];

export interface OpenIdParameters {
  readonly prompts: ReadonlySet<Prompt>;
  /** Maximum age of the sign-in in seconds; null for any age. */
  readonly max_age: number | null;
  /** `sub` of the user in the hint; undefined without a hint, null if the user is not registered. */
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

/** @throws OAuthError naming the parameter that cannot be satisfied */
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

export interface IdTokenHint {
  readonly sub: string;
  readonly client_id: string;
}

/** Returns the claims without verifying the signature; null if they cannot be decoded. */
function unverifiedClaims(token: string): Record<string, unknown> | null {
  const [, payload = ''] = token.split('.');
  try {
    const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const text = new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return null;
  }
}

async function claimsOf(token: string, keyring: Keyring, evaluation: Evaluation) {
  const verified = await keyring.verify(token);
  if ('claims' in verified) return verified.claims;
  if (verified.problem === 'not_issued') return verified.unissued;
  if (verified.problem === 'key_unknown') {
    const claims = unverifiedClaims(token);
    if (claims !== null) {
      note(evaluation, 'id_token_hint_unverified');
      return claims;
    }
  }
  throw new OAuthError(
    verified.problem === 'signature_wrong'
      ? 'id_token_hint_signature_wrong'
      : 'id_token_hint_malformed',
  );
}

const text = (claim: unknown) => (typeof claim === 'string' ? claim : '');

/**
 * Reads an ID token that a client sends as a hint (OpenID Connect Core 3.1.2.1, RP-Initiated Logout 2), and returns
 * the user and the client it was issued for. A hint grants nothing, so expired ID tokens are accepted. If the key is
 * no longer known, the ID token is accepted without verification, which is noted.
 * @throws OAuthError `invalid_request` if it is not an ID token of this issuer
 */
export async function readIdTokenHint(
  token: string,
  keyring: Keyring,
  issuer: string,
  evaluation: Evaluation,
): Promise<IdTokenHint> {
  const { iss, sub, aud } = await claimsOf(token, keyring, evaluation);
  if (iss !== issuer) {
    throw new OAuthError('id_token_hint_of_other_issuer', { expected: issuer, got: text(iss) });
  }
  return { sub: text(sub), client_id: text(Array.isArray(aud) ? (aud as unknown[])[0] : aud) };
}
