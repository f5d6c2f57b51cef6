// Shared by the commands that run a grant: the flags of an authorization; its client, user and audience, which default
// to the first ones of the workspace; and the steps, with the response to their token request.

import type { Command } from 'commander';
import type { Connection } from './command.ts';
import { parseWhole } from './flag-values.ts';
import type { ControlClient } from '../../control/contract.ts';
import { CommandError } from '../command-error.ts';
import { readAll } from '../connect.ts';
import type { Client, Exchange, User } from '../../control/schemas.ts';
import { parseJsonObject } from '../../json.ts';
import { performStep } from '../../scenario/actions/index.ts';
import type { Answer } from '../../scenario/actions/answer.ts';
import { createRun } from '../../scenario/runner/create-run.ts';
import { sendOverControl } from '../../scenario/runner/over-control.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';
import { pluralize, wordsIn } from '../../words.ts';
import { print, printJson, remark } from '../terminal/print.ts';
import { memberRows } from '../terminal/table.ts';
import { explanation } from '../terminal/exchange.ts';

export interface Authorization extends Connection {
  readonly clientId?: string;
  readonly redirectUri?: string;
  readonly user?: string;
  readonly audience?: string;
  readonly scope?: string;
  /** Lifetime of the access token, in seconds. */
  readonly expiresIn?: number;
}

export function authorizing(command: Command): Command {
  return command
    .option('--client-id <id>', 'the client (default: the first one registered)')
    .option('--user <sub>', 'the user who signs in (default: the first one registered)')
    .option(
      '--audience <uri>',
      "the API to call (default: the client's default audience, or the first one registered)",
    )
    .option('--scope <scopes>', 'scopes, separated by spaces')
    .option('--redirect-uri <uri>', "the redirect URI (default: the client's first one)")
    .option('--expires-in <seconds>', 'lifetime of the access token', parseWhole(1));
}

export async function clientOf(control: ControlClient, client_id?: string): Promise<Client> {
  if (client_id !== undefined) return control.clients.get({ client_id });
  // Lists are newest first.
  const first = (await readAll(control.clients.list)).at(-1);
  if (first !== undefined) return first;
  throw new CommandError(2, 'No client is registered. Add one with grantbench clients add.');
}

export async function userOf(control: ControlClient, sub?: string): Promise<User> {
  if (sub !== undefined) return control.users.get({ sub });
  const first = (await readAll(control.users.list)).at(-1);
  if (first !== undefined) return first;
  throw new CommandError(2, 'No user is registered. Add one with grantbench users add.');
}

export function redirectUriOf({ client_id, redirect_uris }: Client, named?: string): string {
  const uri = named ?? redirect_uris[0];
  if (uri !== undefined) return uri;
  throw new CommandError(
    2,
    `The client ${client_id} has no redirect URI. Set one with --redirect-uri.`,
  );
}

/** Returns the first registered audience; undefined if the client has a default audience, which need not be sent. */
export async function audienceOf(
  control: ControlClient,
  client: Client,
  named?: string,
): Promise<string | undefined> {
  if (named !== undefined || client.default_audience !== null) return named;
  return (await readAll(control.audiences.list)).at(-1)?.uri;
}

function authenticationOf({ client_id, token_endpoint_auth_method: method }: Client) {
  if (method === 'private_key_jwt') {
    const message = `The client ${client_id} authenticates with its private key (private_key_jwt), which Grantbench does not have.`;
    throw new CommandError(2, message);
  }
  if (method === 'client_secret_basic') return { client_auth: 'basic' as const };
  if (method === 'client_secret_jwt') return { client_auth: method };
  return method === 'none' ? { fields: { client_secret: null } } : {};
}

/** Returns the token step with client authentication, and with a DPoP proof if requested. */
function ofClient(step: ScenarioStep, client: Client, isProven: boolean): ScenarioStep {
  const { client_id } = client;
  if (step.token === undefined) {
    const { issue_code, issue_tokens } = step;
    return issue_code === undefined
      ? { issue_tokens: { ...issue_tokens, client: client_id } }
      : { issue_code: { ...issue_code, client: client_id } };
  }
  const { fields, ...authentication } = authenticationOf(client);
  return {
    token: {
      ...step.token,
      ...authentication,
      client: client_id,
      fields: { ...step.token.fields, ...fields },
      ...(isProven ? { dpop: true as const } : {}),
    },
  };
}

/**
 * Runs the steps, of which the last is a token request. The instance sends the request to itself over real HTTP, so
 * this process need not resolve the issuer's name or trust its certificate.
 * @returns the exchange, and the thumbprint of the key generated for it
 */
export async function runSteps(
  control: ControlClient,
  client: Client,
  steps: readonly ScenarioStep[],
  isProven = false,
): Promise<{ readonly exchange: Exchange; readonly jkt: string | null }> {
  const { issuer, endpoints } = await control.server.get();
  const run = createRun({
    control,
    issuer,
    endpoints,
    clients: [client],
    users: [],
    send: sendOverControl(control, 'command_line'),
    close: () => Promise.resolve(),
  });
  let answer: Answer | null = null;
  for (const step of steps) answer = await performStep(ofClient(step, client, isProven), run);
  const exchange = answer?.exchange ?? null;
  if (exchange === null) throw new Error('The token request has no recorded exchange.');
  return { exchange, jkt: isProven ? await run.proofs.thumbprint() : null };
}

function refusalText({ status, error, number, why }: Exchange, answer: unknown): string {
  const { error_description: description } = Object(answer) as { error_description?: unknown };
  const details = typeof description === 'string' ? `: ${description}` : '';
  const rejected = `Rejected with ${status} ${error ?? 'and no error code'}${details} (exchange ${number}).`;
  const cause = [why?.summary, why?.detail, why?.advice].filter(Boolean);
  return [rejected, ...cause.map((line) => `  ${line}`)].join('\n');
}

interface ResponseOptions extends Pick<Authorization, 'scope' | 'json'> {
  readonly explain?: boolean;
}

const keyText = (jkt: string, { token_type }: Readonly<Record<string, unknown>>): string =>
  token_type === 'DPoP'
    ? `The access token is bound to the key with thumbprint ${jkt}, which was generated for this request.`
    : `The access token is not bound to the key with thumbprint ${jkt}: the client's profile ignores DPoP.`;

/** Names the requested scopes that were not granted, which the profile interop ignores (behaviour 1.11). */
export function remarkIgnoredScopes(requested: string | undefined, granted: string | null): void {
  const known = wordsIn(granted ?? '');
  const ignored = wordsIn(requested ?? '').filter((scope) => !known.includes(scope));
  if (ignored.length > 0)
    remark(`${pluralize(ignored.length, 'scope')} not granted: ${ignored.join(' ')}`);
}

/** Prints the response. @throws CommandError if the request was rejected, with the cause */
export function printResponse(
  exchange: Exchange,
  { json, explain, scope }: ResponseOptions,
  jkt: string | null = null,
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
  else if (ok) print(memberRows(answer));
  if (explain && !json) print(explanation(exchange));
  if (!ok) throw new CommandError(3, refusalText(exchange, answer));
  if (jkt !== null) remark(keyText(jkt, answer));
  if (typeof answer['scope'] === 'string') remarkIgnoredScopes(scope, answer['scope']);
  if (!json && exchange.deviations > 0 && !explain) {
    remark(`${pluralize(exchange.deviations, 'deviation')} noted; see --explain.`);
  }
}
