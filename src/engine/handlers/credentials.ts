// Codes, tokens and their lineages: the members of each, and which of them was presented for which.

import { responseParameters, uriWith } from '../../core/authorization/response.ts';
import {
  accessTokenId,
  type Credential,
  credentialId,
  endedAt,
  type Lineage,
  lineageId,
  revokedAt,
  subOf,
} from '../../core/model/credentials.ts';
import type { TokenService } from '../../core/service.ts';
import { existing } from './control-error.ts';
import type { EngineParts } from '../parts.ts';
import { timeText, timeTextOrNull } from '../format.ts';
import { os } from './implementer.ts';
import { numberAfter, pageByNumber } from './page.ts';
import type {
  Credential as CredentialView,
  CredentialFilter,
  Lineage as LineageView,
  LiveCounts as LiveCountsView,
  SignedToken,
} from '../../control/schemas.ts';
import type { TOKEN_MISTAKES, TokenMistake } from '../../core/records/token-mistakes.ts';
import { formatAccessTokenId } from '../../core/model/access-token-id.ts';
import type { CredentialStore, LiveCounts, Wanted } from '../../core/model/ports.ts';
import type { Evaluation } from '../../core/checks/trace.ts';
import type { ExchangeLog } from '../exchanges/log.ts';

/** Returns the sum of the counts; zeros without clients. */
export const liveView = (...counts: readonly LiveCounts[]): LiveCountsView => {
  const sum = (kind: keyof LiveCounts) => counts.reduce((all, one) => all + one[kind], 0);
  return {
    codes: sum('code'),
    refresh_tokens: sum('refresh_token'),
    access_tokens: sum('access_token'),
  };
};

export function codeHandlers({ service }: EngineParts) {
  return {
    create: os.codes.create.handler(async ({ input: { state, ...order } }) => {
      const code = await service.authorize(order);
      const answer = responseParameters({ code: code.value }, state, service.issuer());
      return {
        code: code.value,
        expires_at: timeText(code.expires_at),
        redirect_to: uriWith(order.redirect_uri, Object.entries(answer)),
        scope: code.lineage.scope || null,
        lineage_id: lineageId(code.lineage),
      };
    }),
  };
}

export function tokenHandlers(parts: EngineParts) {
  const { service } = parts;
  const { stores } = service.ports;
  const view = (credential: Credential, secrets = false) =>
    credentialView(credential, service, secrets);
  const find = async (id: string) => existing(await stores.findById(id), 'credential', id);
  const end = async (id: string, state: 'revoked' | 'expired') => {
    const credential = await find(id);
    await service.end(credential, state);
    return view(credential);
  };
  const liveOf = (client_id: string | undefined) =>
    [...stores.liveByClient(service.isLive)]
      .filter(([id]) => client_id === undefined || id === client_id)
      .map(([id, counts]) => ({ client_id: id, ...liveView(counts) }));
  return {
    list: os.tokens.list.handler(async ({ input }) => {
      const { limit, after, secrets, live_counts, ...filter } = input;
      const wanted = wantedBy(filter, service);
      const found = await stores.list(limit + 1, numberAfter(after), wanted);
      const { items, next } = pageByNumber(found, limit);
      return {
        items: items.map((credential) => view(credential, secrets)),
        next,
        ...(live_counts ? { live: liveOf(filter.client_id) } : {}),
      };
    }),
    mint: os.tokens.mint.handler(async ({ input }) => {
      const minted = await service.mint(input);
      return {
        access_token: minted.access_token,
        refresh_token: minted.refresh_token,
        token_type: 'Bearer' as const,
        expires_in: minted.expires_in,
        scope: minted.scope || null,
        lineage_id: lineageId(minted.lineage),
      };
    }),
    sign: signHandler(parts),
    get: os.tokens.get.handler(async ({ input }) => view(await find(input.id), input.secrets)),
    revoke: os.tokens.revoke.handler(({ input }) => end(input.id, 'revoked')),
    expire: os.tokens.expire.handler(({ input }) => end(input.id, 'expired')),
  };
}

export function lineageHandlers(parts: EngineParts) {
  const { service } = parts;
  const { stores, clock } = service.ports;
  const find = async (id: string) => existing(await stores.findLineage(id), 'lineage', id);
  return {
    get: os.lineages.get.handler(async ({ input }) => lineageView(await find(input.id), parts)),
    revoke: os.lineages.revoke.handler(async ({ input }) => {
      const lineage = await find(input.id);
      await service.revokeLineage(lineage);
      const revoked = revokedAt(lineage) ?? clock.now();
      return { lineage_id: lineageId(lineage), revoked_at: timeText(revoked) };
    }),
  };
}

type Expected = SignedToken['expected'];

const ANSWERS: Readonly<Record<Expected, string>> = {
  accepted:
    'The response to a valid token while its times are valid, if the resource server trusts the issuer and is the audience. It may have additional rules for claims and scopes.',
  rejected: '401 with the error invalid_token in WWW-Authenticate (RFC 6750 3.1).',
  either:
    'The resource server decides: the response to a valid token, or 401 with the error invalid_token (RFC 6750 3.1).',
};

function expectedOf(wrong: readonly TokenMistake[], mistakes: typeof TOKEN_MISTAKES): Expected {
  if (wrong.length === 0) return 'accepted';
  return wrong.every((name) => mistakes[name].optional) ? 'either' : 'rejected';
}

function signHandler({ service }: EngineParts) {
  return os.tokens.sign.handler(async ({ input }) => {
    const [{ signTestToken }, { TOKEN_MISTAKES }] = await Promise.all([
      import('../../core/test-tokens.ts'),
      import('../../core/records/token-mistakes.ts'),
    ]);
    const { found, ...signed } = await signTestToken(service, input);
    const wrong = [...new Set([...input.wrong, ...found.keys()])];
    const expected = expectedOf(wrong, TOKEN_MISTAKES);
    const mistakes = wrong.map((name) => {
      const { text, rule } = TOKEN_MISTAKES[name];
      return { name, text: input.wrong.includes(name) ? text : (found.get(name) ?? text), rule };
    });
    return { ...signed, expected, answer: ANSWERS[expected], mistakes };
  });
}

function shownTexts(credential: Credential): (string | null)[] {
  const { lineage } = credential;
  const { audience, scope } = credential.kind === 'access_token' ? credential : lineage;
  return [
    credentialId(credential),
    lineage.registration.client_id,
    subOf(lineage),
    audience,
    scope,
  ];
}

const isNamed = (credential: Credential, text: string): boolean =>
  credential.value === text ||
  (credential.kind === 'access_token' && formatAccessTokenId(accessTokenId(credential)) === text);

/** Matches a part of the shown members, ignoring case, or the complete credential, which is not shown. */
function matches(credential: Credential, text: string, lower: string): boolean {
  return (
    shownTexts(credential).some((shown) => shown?.toLowerCase().includes(lower)) ||
    isNamed(credential, text)
  );
}

function wantedBy(filter: CredentialFilter, { stateOf }: TokenService): Wanted {
  const { kind, state, client_id } = filter;
  const text = filter.text?.trim() ?? '';
  const lower = text.toLowerCase();
  return (credential) =>
    (kind === undefined || credential.kind === kind) &&
    (client_id === undefined || credential.lineage.registration.client_id === client_id) &&
    (state === undefined || stateOf(credential) === state) &&
    (text === '' || matches(credential, text, lower));
}

type LineageParts = Pick<EngineParts, 'service' | 'exchanges'>;

function credentialView(
  credential: Credential,
  service: TokenService,
  secrets: boolean,
): CredentialView {
  const now = service.ports.clock.now();
  const { lineage } = credential;
  const access = credential.kind === 'access_token';
  const code = credential.kind === 'code';
  return {
    id: credentialId(credential),
    kind: credential.kind,
    state: service.stateOf(credential),
    value: secrets ? credential.value : null,
    lineage_id: lineageId(lineage),
    client_id: lineage.registration.client_id,
    sub: subOf(lineage),
    audience: access ? credential.audience : lineage.audience,
    scope: access ? credential.scope : lineage.scope,
    redirect_uri: code ? credential.redirect_uri : null,
    code_challenge_method: code ? credential.code_challenge_method : null,
    issued_at: timeText(credential.issued_at),
    expires_at: timeText(credential.expires_at),
    ended_at: timeTextOrNull(endedAt(credential, now)),
    issued_by: credential.issued_by,
    ended_by: credential.end?.by ?? null,
  };
}

/** Maximum number of shown members and exchanges of a lineage (behaviour 4.9). */
const NEWEST = 50;
const ALL = Number.POSITIVE_INFINITY;

type ParentOf = (credential: Credential) => Credential | null;

/**
 * Returns the credential that was presented for another: as recorded in its exchange, else the member that it
 * consumed, else the only possible one.
 */
function parentsAmong(known: readonly Credential[], { capture }: ExchangeLog): ParentOf {
  return ({ issued_by, lineage, n }) => {
    if (issued_by === null) return null;
    const presented = capture.get(issued_by)?.evaluation?.credential ?? null;
    if (presented?.lineage === lineage) return presented;
    const used = known.find(
      ({ end, state }) => end?.by === issued_by && (state === 'redeemed' || state === 'rotated'),
    );
    const [only = null, ...others] = known.filter(
      (member) => member.kind === 'refresh_token' && member.n < n && member.issued_by !== issued_by,
    );
    return used ?? (others.length === 0 ? only : null);
  };
}

const inOrder = (a: Credential, b: Credential) => a.n - b.n;

/** Returns the newest members, those presented for them, and the first one, oldest first. */
async function membersOf(
  lineage: Lineage,
  stores: CredentialStore,
  exchanges: ExchangeLog,
): Promise<{ members: readonly Credential[]; parentOf: ParentOf }> {
  const mine = (credential: Credential) => credential.lineage === lineage;
  const newest = await stores.list(NEWEST, ALL, mine);
  const renewing = await stores.list(
    NEWEST,
    ALL,
    (credential) => mine(credential) && credential.kind === 'refresh_token',
  );
  const parentOf = parentsAmong([...new Set([...newest, ...renewing])], exchanges);
  const first = await stores.findById(`${lineageId(lineage)}.1`);
  const members = new Set([first, ...newest.map(parentOf), ...newest]);
  return {
    members: [...members].filter((member) => member !== null && member !== undefined).sort(inOrder),
    parentOf,
  };
}

/**
 * Returns the newest exchanges of a lineage, oldest first: those that issued or ended its members, captured ones of
 * the lineage or that presented a member, and for a device its request and decision.
 */
function exchangesOf(
  lineage: Lineage,
  members: readonly Credential[],
  { service: { devices }, exchanges: { capture } }: LineageParts,
): number[] {
  const id = lineageId(lineage);
  const isAbout = ({ lineage: about, credential, access_token }: Evaluation) =>
    about === lineage ||
    credential?.lineage === lineage ||
    (access_token?.epoch === lineage.epoch && access_token.lineage === id);
  const numbers = new Set<number>();
  const add = (number: number | null) => {
    if (number !== null) numbers.add(number);
  };
  for (const { issued_by, end } of members) {
    add(issued_by);
    add(end?.by ?? null);
  }
  for (const { number, evaluation } of capture.newestFirst()) {
    if (evaluation !== null && isAbout(evaluation)) add(number);
  }
  for (const { issued_by, decision, redeemed } of devices.list()) {
    if (redeemed === null || !numbers.has(redeemed.exchange)) continue;
    add(issued_by);
    add(decision?.exchange ?? null);
  }
  return [...numbers].sort((a, b) => a - b).slice(-NEWEST);
}

async function lineageView(lineage: Lineage, parts: LineageParts): Promise<LineageView> {
  const { audience, scope, created_at, count } = lineage;
  const { service } = parts;
  const { stores } = service.ports;
  const { members, parentOf } = await membersOf(lineage, stores, parts.exchanges);
  const parentId = (member: Credential) => {
    const parent = parentOf(member);
    return parent === null ? null : credentialId(parent);
  };
  return {
    lineage_id: lineageId(lineage),
    client_id: lineage.registration.client_id,
    sub: subOf(lineage),
    audience,
    scope,
    created_at: timeText(created_at),
    revoked_at: timeTextOrNull(revokedAt(lineage)),
    count,
    exchanges: exchangesOf(lineage, members, parts),
    members: members.map((member) => ({
      ...credentialView(member, service, false),
      parent_id: parentId(member),
    })),
  };
}
