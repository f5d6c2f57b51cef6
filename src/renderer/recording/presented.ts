// The codes and tokens that a request presents, each with what it is by its place.

import type { Exchange } from '../../control/schemas.ts';
import { FORM_TYPE, headerOf } from '../../oauth/fields.ts';
import { parseJsonObject } from '../../oauth/json-object.ts';
import { bodyText } from '../exchange/answer.ts';

export type PresentedKind = 'code' | 'refresh_token' | 'access_token' | 'device_code' | 'other';

export interface Presented {
  readonly kind: PresentedKind;
  readonly value: string;
}

const KINDS: Readonly<Record<string, PresentedKind>> = {
  code: 'code',
  refresh_token: 'refresh_token',
  access_token: 'access_token',
  subject_token: 'access_token',
  actor_token: 'other',
  token: 'access_token',
  device_code: 'device_code',
  id_token_hint: 'other',
};

function fieldsOf({ path, request }: Exchange): (readonly [string, unknown])[] {
  const body = bodyText(request);
  const isForm = headerOf(request.headers, 'content-type')?.startsWith(FORM_TYPE) === true;
  const sent = isForm
    ? [...new URLSearchParams(body)]
    : Object.entries(parseJsonObject(body) ?? {});
  return [...new URLSearchParams(path.split('?', 2)[1]), ...sent];
}

/** A token at introspection or revocation is what its hint says (RFC 7009 2.1, RFC 7662 2.1). */
function kindOf(name: string, fields: readonly (readonly [string, unknown])[]): PresentedKind {
  const [, hint] = fields.find(([other]) => other === 'token_type_hint') ?? [];
  return name === 'token' && hint === 'refresh_token' ? 'refresh_token' : (KINDS[name] ?? 'other');
}

export function presentedIn(exchange: Exchange): Presented[] {
  const header = headerOf(exchange.request.headers, 'authorization') ?? '';
  const [, bearer] = /^(?:Bearer|DPoP) +(\S+)$/i.exec(header) ?? [];
  const fields = fieldsOf(exchange);
  const named = fields.flatMap(([name, value]): Presented[] =>
    Object.hasOwn(KINDS, name) && typeof value === 'string' && value !== ''
      ? [{ kind: kindOf(name, fields), value }]
      : [],
  );
  return bearer === undefined ? named : [{ kind: 'access_token', value: bearer }, ...named];
}
