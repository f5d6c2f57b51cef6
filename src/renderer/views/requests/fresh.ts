// Gets fresh credentials over control: a code issued now, a device code approved now, the newest live tokens of a
// client. Nothing is sent to the service for it.

import type { Client, Credential, IssueCode } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { approvedDeviceCode } from '../../sending/fresh-request.ts';
import { createPkcePair, type PkcePair } from '../../../oauth/pkce.ts';
import { NOTHING_FRESH, wantedBy, type Fresh } from './credential-places.ts';
import type { Draft } from './draft.ts';
import { valueIn } from './field-rows.ts';

/** What a client has none of. */
export type Lacking = 'refresh_token' | 'access_token' | 'redirect_uri';

export interface Gathered {
  readonly fresh: Fresh;
  readonly lacking: readonly Lacking[];
  /** When the code that was issued runs out; null when none was. */
  readonly expires_at: string | null;
}

async function newest(client_id: string, kind: Credential['kind']): Promise<string | null> {
  const wanted = { client_id, kind, state: 'active', limit: 1, secrets: true } as const;
  const { items } = await control.tokens.list(wanted);
  return items[0]?.value ?? null;
}

/** For the redirect URI that the request names, where the client has it. Its audience is left to the exchange. */
function orderOf(draft: Draft, client: Client, pkce: PkcePair | null): IssueCode | null {
  const named = valueIn(draft.body.rows, 'redirect_uri') ?? '';
  const [first] = client.redirect_uris;
  const redirect_uri = client.redirect_uris.includes(named) ? named : first;
  if (redirect_uri === undefined) return null;
  return {
    client_id: client.client_id,
    redirect_uri,
    ...pkce?.challenge,
  };
}

async function issue(draft: Draft, client: Client): Promise<Gathered> {
  const pkce = wantedBy(draft).verifier ? await createPkcePair() : null;
  const order = orderOf(draft, client, pkce);
  if (order === null) {
    return { fresh: NOTHING_FRESH, lacking: ['redirect_uri'], expires_at: null };
  }
  const { code, expires_at } = await control.codes.create(order);
  const fresh = { ...NOTHING_FRESH, code, verifier: pkce?.verifier ?? null };
  return { fresh, lacking: [], expires_at };
}

/** What the client has of those that the draft has a place for: nothing is issued. */
export async function gatherTokens(draft: Draft, { client_id }: Client): Promise<Gathered> {
  const wanted = wantedBy(draft);
  const kinds = (['refresh_token', 'access_token'] as const).filter((kind) => wanted[kind]);
  const found = await Promise.all(
    kinds.map(async (kind) => [kind, await newest(client_id, kind)] as const),
  );
  const lacking = found.filter(([, value]) => value === null).map(([kind]) => kind);
  const fresh = { ...NOTHING_FRESH, ...Object.fromEntries(found) };
  return { fresh, lacking, expires_at: null };
}

/** Whatever the draft has a place for. */
export async function gatherFresh(draft: Draft, client: Client): Promise<Gathered> {
  const wanted = wantedBy(draft);
  const gathered = await gatherTokens(draft, client);
  const device_code = wanted.device_code ? await approvedDeviceCode(client) : null;
  const tokens = { ...gathered, fresh: { ...gathered.fresh, device_code } };
  if (!wanted.code) return tokens;
  const issued = await issue(draft, client);
  return {
    fresh: { ...tokens.fresh, code: issued.fresh.code, verifier: issued.fresh.verifier },
    lacking: [...tokens.lacking, ...issued.lacking],
    expires_at: issued.expires_at,
  };
}
