// What a request says of itself, read leniently: a rule may be meant for a request that nobody will ever
// evaluate, and that no one could.

import { assertedClient } from '../../core/client-authentication/assertion.ts';
import { parseBasic } from '../../core/client-authentication/authorization-header.ts';

type Say = (name: string) => string | null;

function membersOf(text: string): Say {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return () => null;
  }
  const members = new Map<string, unknown>(Object.entries(Object(value) as object));
  return (name) => {
    const member = members.get(name);
    return typeof member === 'string' ? member : null;
  };
}

function fieldsOf(text: string): Say {
  const fields = new URLSearchParams(text);
  return (name) => fields.get(name);
}

/** The grant and the client that the request claims: in its body, its query, HTTP Basic or an assertion. */
export function claimsOf(body: Buffer, query: string, authorization: string | undefined) {
  const text = body.toString();
  const inBody = /^\s*\{/.test(text) ? membersOf(text) : fieldsOf(text);
  const inQuery = fieldsOf(query);
  const basic = authorization === undefined ? null : parseBasic(authorization);
  const assertion = inBody('client_assertion');
  const asserted = assertion === null ? undefined : assertedClient(assertion);
  return {
    grant_type: inBody('grant_type') ?? inQuery('grant_type'),
    client_id: inBody('client_id') ?? inQuery('client_id') ?? basic?.id ?? asserted ?? null,
  };
}
