// A request to the token endpoint, sent by the instance to itself over real HTTP, so that neither its
// issuer's name nor its certificate matters here; and its answer, told.

import type { ControlClient } from '../../../control/client.ts';
import type { Client, Exchange } from '../../../control/schemas.ts';
import { credentialsOf, type Credentials } from '../../../oauth/client-authentication.ts';
import { createProof, demandedNonce, withProof, type ProofKey } from '../../../oauth/dpop-proof.ts';
import type { Fields, HttpRequest } from '../../../oauth/fields.ts';
import { parseJsonObject } from '../../../oauth/json-object.ts';
import { tokenRequest } from '../../../oauth/token-request.ts';
import { CommandError } from '../../command-error.ts';
import { print, printJson, remark } from '../../terminal/print.ts';
import { rows } from '../../terminal/table.ts';
import { explanation } from './explanation.ts';

const BY_COMMAND = { sent_by: 'command_line', secrets: true } as const;

/** Where the client proves itself: by fields of the body, or in the header. */
interface Proof {
  readonly fields: Partial<Credentials>;
  readonly basic: Credentials | null;
}

function proofOf(client: Client): Proof {
  const { client_id, client_secret, token_endpoint_auth_method: method } = client;
  if (method === 'private_key_jwt') {
    const message = `The client ${client_id} authenticates with its private key (private_key_jwt), which Grantbench does not have.`;
    throw new CommandError(2, message);
  }
  if (method === 'client_secret_basic') return { fields: {}, basic: credentialsOf(client) };
  return {
    fields: { client_id, client_secret: method === 'none' ? null : client_secret },
    basic: null,
  };
}

/** Sends with a proof for the request, and once more if the answer demands a nonce (RFC 9449 8). */
async function sendProven(
  control: ControlClient,
  key: ProofKey,
  { uri, request }: { readonly uri: string; readonly request: HttpRequest },
): Promise<Exchange> {
  const { now } = await control.clock.get();
  const iat = Math.floor(Date.parse(now) / 1000);
  const send = async (nonce: string | null) => {
    const proof = await createProof(key, { method: request.method, uri, iat, nonce });
    return control.requests.send({ ...withProof(request, proof), ...BY_COMMAND });
  };
  const answer = await send(null);
  const nonce = demandedNonce({ error: answer.error, headers: answer.response.headers });
  return nonce === null ? answer : send(nonce);
}

/**
 * @param fieldsWith what is asked for, with the credentials that go into the body
 * @param key sends a DPoP proof of it
 */
export async function requestToken(
  control: ControlClient,
  client: Client,
  fieldsWith: (credentials: Partial<Credentials>) => Fields,
  key: ProofKey | null = null,
): Promise<Exchange> {
  const { fields, basic } = proofOf(client);
  const { token_endpoint: uri } = await control.server.get();
  const path = new URL(uri).pathname;
  const request = tokenRequest(fieldsWith(fields), { path, basic });
  if (key !== null) return sendProven(control, key, { uri, request });
  return control.requests.send({ ...request, ...BY_COMMAND });
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function refusalText({ status, error, number, why }: Exchange, answer: unknown): string {
  const { error_description: description } = Object(answer) as { error_description?: unknown };
  const told = typeof description === 'string' ? `: ${description}` : '';
  const refused = `Rejected with ${status} ${error ?? 'and no error code'}${told} (exchange ${number}).`;
  const cause = [why?.summary, why?.detail, why?.advice].filter(Boolean);
  return [refused, ...cause.map((line) => `  ${line}`)].join('\n');
}

/** What has become of the key that a proof was sent of. */
const keyText = (key: ProofKey, { token_type }: Readonly<Record<string, unknown>>): string =>
  token_type === 'DPoP'
    ? `The access token is bound to the key with the thumbprint ${key.jkt}, which was made for this call.`
    : `The access token is not bound to the key with the thumbprint ${key.jkt}: the profile of the client ignores DPoP.`;

/** Prints the answer. @throws CommandError for a refusal, with its cause */
export function tellAnswer(
  exchange: Exchange,
  { json, explain }: { readonly json?: boolean; readonly explain?: boolean },
  key: ProofKey | null = null,
): void {
  const answer = parseJsonObject(exchange.response.body);
  const ok = exchange.status === 200 && answer !== null;
  if (json && explain)
    printJson({
      response: answer,
      status: exchange.status,
      exchange: exchange.number,
      trace: exchange.trace,
      why: exchange.why,
    });
  else if (json) printJson(answer);
  else if (ok) print(rows(Object.entries(answer).map(([name, value]) => [name, asText(value)])));
  if (explain && !json) print(explanation(exchange));
  if (!ok) throw new CommandError(3, refusalText(exchange, answer));
  if (key !== null) remark(keyText(key, answer));
  if (!json && exchange.deviations > 0 && !explain) {
    remark(`${exchange.deviations} deviation(s) noted; --explain shows them.`);
  }
}
