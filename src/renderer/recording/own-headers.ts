// The headers of a recorded request that its author chose: without those of the connection and those
// that a step sends by itself.

import type { Exchange } from '../../control/schemas.ts';
import { FORM_TYPE, JSON_TYPE } from '../../oauth/fields.ts';
import type { Known } from './known.ts';

const OF_THE_SENDER = /^(host|connection|content-length|accept|user-agent|cookie|grantbench-.*)$/;

export function ownHeaders({ request }: Exchange, known: Known): Record<string, string> {
  const own = request.headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !OF_THE_SENDER.test(name))
    .filter(([name, value]) => name !== 'content-type' || ![JSON_TYPE, FORM_TYPE].includes(value));
  return Object.fromEntries(own.map(([name, value]) => [name, known.written(value)]));
}
