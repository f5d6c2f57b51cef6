// Reads what a request claims about its client and grant, leniently, for requests that are not evaluated.

import { assertedClient } from '../core/client-authentication/client-assertion.ts';
import { parseBasic } from '../core/client-authentication/authorization-header.ts';
import { parseJsonObject } from '../json.ts';

/** Returns `path?query`, also for the absolute form that proxies send (RFC 9112 3.2.2). */
export function splitTarget(target: string): [path: string, query: string] {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = local.indexOf('?');
  return mark < 0 ? [local || '/', ''] : [local.slice(0, mark) || '/', local.slice(mark + 1)];
}

/** Returns the text of a field; null if there is none. */
export type Fields = (name: string) => string | null;

function membersOf(text: string): Fields {
  const members = new Map(Object.entries(parseJsonObject(text) ?? {}));
  return (name) => {
    const member = members.get(name);
    return typeof member === 'string' ? member : null;
  };
}

export function fieldsOf(text: string): Fields {
  const fields = new URLSearchParams(text);
  return (name) => fields.get(name);
}

/** The fields of a body, which is a form or a JSON object. */
export function fieldsIn(body: Buffer): Fields {
  const text = body.toString();
  return /^\s*\{/.test(text) ? membersOf(text) : fieldsOf(text);
}

/** The grant and the client that the request claims: in its body, its query, HTTP Basic or an assertion. */
export function claimsOf(body: Buffer, query: string, authorization: string | undefined) {
  const inBody = fieldsIn(body);
  const inQuery = fieldsOf(query);
  const basic = authorization === undefined ? null : parseBasic(authorization);
  const assertion = inBody('client_assertion');
  const asserted = assertion === null ? undefined : assertedClient(assertion);
  return {
    grant_type: inBody('grant_type') ?? inQuery('grant_type'),
    client_id: inBody('client_id') ?? inQuery('client_id') ?? basic?.id ?? asserted ?? null,
  };
}
