// The headers of a recorded request that decide about its response, without those that a step sends by itself.
// Others may hold anything, a key of the app among it, and are left out.

import type { Exchange } from '../../control/schemas.ts';
import { isBasic, readBasic } from '../../oauth/client-authentication.ts';
import { FORM_TYPE, JSON_TYPE } from '../../oauth/fields.ts';
import { isBasicOf } from './basic.ts';
import type { Known } from './known.ts';
import { wrongBasic } from './stand-ins.ts';

const DECIDING = ['authorization', 'content-type', 'dpop'];

function written(name: string, value: string, known: Known): string {
  if (name !== 'authorization' || !isBasic(value)) return known.written(value);
  const isRight = known.client !== undefined && isBasicOf(value, known.client);
  return isRight ? '{{client.basic}}' : wrongBasic(readBasic(value));
}

export function ownHeaders({ request }: Exchange, known: Known): Record<string, string> {
  const own = request.headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => DECIDING.includes(name))
    .filter(([name, value]) => name !== 'content-type' || ![JSON_TYPE, FORM_TYPE].includes(value));
  return Object.fromEntries(own.map(([name, value]) => [name, written(name, value, known)]));
}
