// Codes, tokens and their lineages.

import { responseParameters, uriWith } from '../../core/authorization/response.ts';
import type { Credential } from '../../core/model/credentials.ts';
import { lineageId, revokedAt } from '../../core/model/credentials.ts';
import { invalidField, notFound } from './control-error.ts';
import { granted } from './granted.ts';
import { wantedBy } from '../views/credential-filter.ts';
import { lineageView } from '../views/lineage.ts';
import type { EngineParts } from '../parts.ts';
import { credentialView, timeText } from '../views/records.ts';
import { os } from './os.ts';
import { signHandler } from './test-tokens.ts';

export function codeHandlers({ service }: EngineParts) {
  return {
    create: os.codes.create.handler(async ({ input: { state, ...order } }) => {
      const code = await granted(service.authorize(order));
      const answer = responseParameters({ code: code.value }, state, service.issuer());
      return {
        code: code.value,
        expires_at: timeText(code.expires_at),
        redirect_to: uriWith(order.redirect_uri, answer),
        lineage_id: lineageId(code.lineage),
      };
    }),
  };
}

const PLACE = /^\d{1,15}$/;

export function tokenHandlers(parts: EngineParts) {
  const { service } = parts;
  const { stores, clock } = service.ports;
  const view = (credential: Credential, secrets = false) =>
    credentialView(credential, clock.now(), secrets);
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
  return {
    list: os.tokens.list.handler(async ({ input: { limit, after, secrets, ...filter } }) => {
      if (after !== undefined && !PLACE.test(after)) {
        throw invalidField('after', 'must be the next of a previous response');
      }
      const before = after === undefined ? Number.POSITIVE_INFINITY : Number(after);
      const found = await stores.list(limit + 1, before, wantedBy(filter, clock.now()));
      const last = found.length > limit ? found[limit - 1] : undefined;
      return {
        items: found.slice(0, limit).map((credential) => view(credential, secrets)),
        next: last === undefined ? null : String(last.seq),
      };
    }),
    mint: os.tokens.mint.handler(async ({ input }) => {
      const minted = await granted(service.mint(input));
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
