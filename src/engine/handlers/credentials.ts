// Codes, tokens and their lineages.

import { responseParameters, uriWith } from '../../core/authorization/response.ts';
import {
  accessTokenId,
  type Credential,
  credentialId,
  lineageId,
  revokedAt,
  subOf,
} from '../../core/model/credentials.ts';
import type { TokenService } from '../../core/service.ts';
import { notFound } from './control-error.ts';
import { credentialView, lineageView } from '../views/lineage.ts';
import type { EngineParts } from '../parts.ts';
import { timeText } from '../views/records.ts';
import { os } from './os.ts';
import { numberAfter, pageByNumber } from './page.ts';
import type {
  CredentialFilter,
  LiveCounts as LiveCountsView,
  SignedToken,
} from '../../control/schemas.ts';
import type { TokenMistake } from '../../control/names.ts';
import type { TOKEN_MISTAKES } from '../../core/records/token-mistakes.ts';
import { formatAccessTokenId } from '../../core/model/access-token-id.ts';
import type { LiveCounts, Wanted } from '../../core/model/ports.ts';

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
  const find = async (id: string) => {
    const credential = await stores.findById(id);
    if (credential === undefined) throw notFound('credential', id);
    return credential;
  };
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
        scope: minted.scope === '' ? null : minted.scope,
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
  const find = async (id: string) => {
    const lineage = await stores.findLineage(id);
    if (lineage === undefined) throw notFound('lineage', id);
    return lineage;
  };
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
    'The response to a valid token, if the resource server trusts the issuer and is the audience. It may have additional rules for claims and scopes.',
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
