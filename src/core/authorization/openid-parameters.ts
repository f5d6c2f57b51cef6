// The parameters that OpenID Connect adds to an authorization request (Core 3.1.2.1): whether and how the user is
// prompted, how old a sign-in may be and of which class, which user the request is about, and which claims it requests
// one by one (5.5).

import { isJsonObject, parseJsonObject } from '../../json.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import { findHinted } from '../registry/lists.ts';
import { valueOf, type WithParameters } from '../model/request.ts';
import { type Evaluation, note, pass } from '../checks/trace.ts';
import type { Client } from '../records/schemas.ts';
import { decodeJws } from '../issuing/foreign-signatures.ts';
import { audienceOf, otherThanIdToken, verifyIdToken } from '../issuing/read-id-token.ts';

export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;
type Prompt = (typeof PROMPTS)[number];

export interface OpenIdParameters {
  readonly prompts: ReadonlySet<Prompt>;
  /** Maximum age of the sign-in in seconds; null for any age. */
  readonly max_age: number | null;
  /** `sub` of the user in the hint; undefined without a hint, null if the user is not registered. */
  readonly hinted_sub: string | null | undefined;
  /** The requested authentication context classes, the preferred one first. */
  readonly acr_values: readonly string[];
  /** Whether the sign-in must have one of them (5.5.1.1). */
  readonly acr_essential: boolean;
  /** The `sub` of the users for whom there may be a response with tokens; empty for any user. */
  readonly required_subs: readonly string[];
  /** The names of the claims that are requested one by one. */
  readonly claims: ClaimNames;
}

type ClaimTarget = 'userinfo' | 'id_token';

type ClaimNames = Readonly<Record<ClaimTarget, readonly string[]>>;

const isPrompt = (word: string): word is Prompt => (PROMPTS as readonly string[]).includes(word);

function readPrompts(request: WithParameters): ReadonlySet<Prompt> {
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

function readMaxAge(request: WithParameters, { default_max_age }: Client): number | null {
  const max_age = valueOf(request, 'max_age');
  if (max_age === undefined) return default_max_age;
  if (!/^\d{1,12}$/.test(max_age)) throw new OAuthError('max_age_malformed');
  return Number(max_age);
}

/** Reads the hints: an ID token names the only user who may get a response with tokens (3.1.2.2). */
async function readHint(
  request: WithParameters,
  domain: Domain,
  evaluation: Evaluation,
): Promise<Pick<OpenIdParameters, 'hinted_sub' | 'required_subs'>> {
  const { registry } = domain;
  const token = valueOf(request, 'id_token_hint');
  if (token !== undefined) {
    const { sub } = await readIdTokenHint(token, domain, evaluation);
    pass(evaluation, 'id_token_hint', { got: sub });
    return { hinted_sub: registry.users.get(sub)?.sub ?? null, required_subs: [sub] };
  }
  const hint = valueOf(request, 'login_hint');
  pass(evaluation, 'id_token_hint', { note: 'not used' });
  const hinted_sub = hint === undefined ? undefined : (findHinted(hint, registry)?.sub ?? null);
  return { hinted_sub, required_subs: [] };
}

/** Maximum number of claims that a request may name for each of the two. */
const MOST_CLAIMS = 100;

type ClaimRequests = Readonly<Record<string, unknown>>;

const malformed = (field: string, expected: string) =>
  new OAuthError('claims_malformed', { field, expected });

function readTarget(all: ClaimRequests, target: ClaimTarget): ClaimRequests {
  const requests = all[target] ?? {};
  const field = `claims.${target}`;
  if (!isJsonObject(requests)) throw malformed(field, 'must be a JSON object');
  const entries = Object.values(requests);
  if (entries.length > MOST_CLAIMS) {
    throw malformed(field, `must have at most ${MOST_CLAIMS} members`);
  }
  for (const one of entries) {
    if (one === null) continue;
    if (!isJsonObject(one)) throw malformed(field, 'must have only null or objects as members');
    const { essential = false, values = [] } = one;
    if (typeof essential !== 'boolean')
      throw malformed(field, 'must have only booleans as essential');
    if (!Array.isArray(values)) throw malformed(field, 'must have only arrays as values');
  }
  return requests;
}

/** Returns the requests for the claims of ID tokens and of userinfo; other members are ignored (5.5). */
function readClaims(request: WithParameters, evaluation: Evaluation) {
  const text = valueOf(request, 'claims');
  if (text === undefined) return { userinfo: {}, id_token: {} };
  const all = parseJsonObject(text);
  if (all === null) throw malformed('claims', 'must be a JSON object');
  const [userinfo, id_token] = [readTarget(all, 'userinfo'), readTarget(all, 'id_token')];
  const got = [...new Set([...Object.keys(id_token), ...Object.keys(userinfo)])].join(' ');
  pass(evaluation, 'claims', { got: got || 'none' });
  return { userinfo, id_token };
}

/** Returns the acceptable values of a claim: those of `value` or `values` that are strings. */
function valuesOf(request: unknown): string[] {
  const { value, values = [] } = isJsonObject(request) ? request : {};
  const all: readonly unknown[] = value === undefined && Array.isArray(values) ? values : [value];
  return all.filter((one) => typeof one === 'string');
}

/** Returns what is asked about the acr. A class that is essential leaves no choice of others. */
function readAcr(request: WithParameters, claim: unknown) {
  const values = valuesOf(claim);
  const acr_essential = values.length > 0 && isJsonObject(claim) && claim['essential'] === true;
  const voluntary = valueOf(request, 'acr_values')?.split(' ').filter(Boolean) ?? [];
  const acr_values = acr_essential ? values : [...new Set([...values, ...voluntary])];
  return { acr_values, acr_essential };
}

/** @throws OAuthError naming the parameter that cannot be satisfied */
export async function readOpenIdParameters(
  request: WithParameters,
  client: Client,
  domain: Domain,
  evaluation: Evaluation,
): Promise<OpenIdParameters> {
  const prompts = readPrompts(request);
  const max_age = readMaxAge(request, client);
  pass(evaluation, 'prompt', prompts.size === 0 ? undefined : { got: [...prompts].join(' ') });
  const claims = readClaims(request, evaluation);
  const hint = await readHint(request, domain, evaluation);
  const required_subs = valuesOf(claims.id_token['sub']);
  const { users } = domain.registry;
  const hinted_sub = required_subs.find((sub) => users.get(sub) !== undefined) ?? null;
  return {
    prompts,
    max_age,
    ...hint,
    ...(required_subs.length > 0 && { hinted_sub, required_subs }),
    ...readAcr(request, claims.id_token['acr']),
    claims: { userinfo: Object.keys(claims.userinfo), id_token: Object.keys(claims.id_token) },
  };
}

export interface IdTokenHint {
  readonly sub: string;
  readonly client_id: string;
}

/** Returns the claims, and whether a key verified them. */
async function claimsOf(token: string, domain: Domain) {
  const verified = await verifyIdToken(token, domain);
  if ('claims' in verified) return { claims: verified.claims, isVerified: true };
  if (verified.problem === 'not_issued') return { claims: verified.unissued, isVerified: true };
  const decoded = verified.problem === 'key_unknown' ? decodeJws(token) : null;
  if (decoded !== null) return { claims: decoded.claims, isVerified: false };
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
  domain: Domain,
  evaluation: Evaluation,
): Promise<IdTokenHint> {
  const { claims, isVerified } = await claimsOf(token, domain);
  const expected = domain.issuer();
  const { iss, sub } = claims;
  if (iss !== expected) {
    throw new OAuthError('id_token_hint_of_other_issuer', { expected, got: text(iss) });
  }
  const got = otherThanIdToken(claims, expected);
  if (got !== null) throw new OAuthError('id_token_hint_malformed', { got });
  if (!isVerified) note(evaluation, 'id_token_hint_unverified');
  return { sub: text(sub), client_id: audienceOf(claims) };
}
