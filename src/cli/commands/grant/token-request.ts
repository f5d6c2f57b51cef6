// A request to the token endpoint, sent by the instance to itself over real HTTP, so that neither its
// issuer's name nor its certificate matters here; and its answer, told.

import type { ControlClient } from '../../../control/client.ts';
import type { Client, Exchange } from '../../../control/schemas.ts';
import { CommandError } from '../../command-error.ts';
import { print, printJson, remark } from '../../terminal/print.ts';
import { rows } from '../../terminal/table.ts';
import { explanation } from './explanation.ts';

type Parameters = Readonly<Record<string, string>>;
type Headers = Record<string, string>;

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Both parts are form-encoded first (RFC 6749 2.3.1). */
function basic({ client_id, client_secret }: Client): Headers {
  const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  const pair = `${encode(client_id)}:${encode(client_secret ?? '')}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

interface Credentials {
  readonly headers: Headers;
  readonly members: Parameters;
}

function credentialsOf(client: Client): Credentials {
  const { client_id, client_secret, token_endpoint_auth_method: method } = client;
  if (method === 'private_key_jwt') {
    const message = `The client ${client_id} authenticates with a key of its own (private_key_jwt), which Grantbench does not have.`;
    throw new CommandError(2, message);
  }
  if (method === 'client_secret_basic') return { headers: basic(client), members: {} };
  const secret = client_secret === null || method === 'none' ? {} : { client_secret };
  return { headers: {}, members: { client_id, ...secret } };
}

async function tokenPath(control: ControlClient): Promise<string> {
  const { token_endpoint } = await control.server.get();
  return new URL(token_endpoint).pathname;
}

/** The documented service takes codes as JSON, the other grants as a form; both are taken everywhere. */
export async function requestToken(
  control: ControlClient,
  client: Client,
  parameters: Parameters,
): Promise<Exchange> {
  const { headers, members } = credentialsOf(client);
  const json = parameters['grant_type'] === 'authorization_code';
  const all = { ...parameters, ...members };
  return control.requests.send({
    method: 'POST',
    path: await tokenPath(control),
    headers: { 'content-type': json ? JSON_TYPE : FORM_TYPE, accept: JSON_TYPE, ...headers },
    body: json ? JSON.stringify(all) : new URLSearchParams(all).toString(),
    secrets: true,
  });
}

function parsed(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function refusalText({ status, error, number, why }: Exchange, answer: unknown): string {
  const { error_description: description } = Object(answer) as { error_description?: unknown };
  const told = typeof description === 'string' ? `: ${description}` : '';
  const refused = `Refused with ${status} ${error ?? 'and no error code'}${told} (exchange ${number}).`;
  const cause = [why?.summary, why?.detail, why?.advice].filter(Boolean);
  return [refused, ...cause.map((line) => `  ${line}`)].join('\n');
}

/** Prints the answer. @throws CommandError for a refusal, with its cause */
export function tellAnswer(
  exchange: Exchange,
  { json, explain }: { readonly json?: boolean; readonly explain?: boolean },
): void {
  const answer = parsed(exchange.response.body);
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
  if (!json && exchange.deviations > 0 && !explain) {
    remark(`${exchange.deviations} deviation(s) noted; --explain tells them.`);
  }
}
