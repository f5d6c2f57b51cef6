// Steps that can do harm at a provider: revocation, repetition, and credentials that are not those of the run, which
// can lock an account or a client. They are sent only if the user allows it.

import { isJsonObject } from '../../oauth/json-object.ts';
import { ENDPOINTS, type EndpointName } from '../../core/records/endpoints.ts';
import type { ScenarioStep } from '../schema.ts';

type Members = Readonly<Record<string, unknown>>;

/** At these, even a good request changes what the provider keeps. */
const CHANGING: readonly EndpointName[] = ['revocation', 'end_session', 'registration'];

/**
 * Fields whose value the provider checks against what it has issued or registered, with the variable that holds the
 * right one; null where any variable of the run may. A code or a refresh token under another name may be a former one.
 */
const CREDENTIALS: ReadonlyMap<string, string | null> = new Map([
  ['client_id', 'client.client_id'],
  ['client_secret', 'client.client_secret'],
  ['username', 'user.sub'],
  ['password', 'user.password'],
  ['code', 'code'],
  ['code_verifier', 'code_verifier'],
  ['device_code', 'device_code'],
  ['refresh_token', 'refresh_token'],
  ...['access_token', 'subject_token', 'actor_token', 'assertion', 'client_assertion'].map(
    (name) => [name, null] as const,
  ),
]);

/** A client that omits one of these does not authenticate. */
const OF_THE_CLIENT: readonly string[] = ['client_id', 'client_secret'];

const VARIABLE = /^\{\{\s*([\w.-]+)\s*\}\}$/;
const AUTHORIZATION = /^(?:(?:Bearer|DPoP)\s+\{\{\s*[\w.-]+\s*\}\}|\{\{client\.basic\}\})$/i;

const membersOf = (value: unknown): Members => (isJsonObject(value) ? value : {});

/** Whether a field is left as the run fills it in. */
function isOwn(name: string, right: string | null, value: unknown): boolean {
  if (value === null) return !OF_THE_CLIENT.includes(name);
  const [, variable] = (typeof value === 'string' && VARIABLE.exec(value)) || [];
  return variable !== undefined && (right === null || variable === right);
}

function wrongField(fields: Members): string | undefined {
  const wrong = [...CREDENTIALS].find(
    ([name, right]) => Object.hasOwn(fields, name) && !isOwn(name, right, fields[name]),
  );
  return wrong?.[0];
}

/** The query that is written in the path. */
function queryOf(path: unknown): Members {
  const query = typeof path === 'string' ? path.split('?').slice(1).join('?') : '';
  const parameters = new URLSearchParams(query);
  const values = (name: string) => parameters.getAll(name);
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => [
      name,
      values(name).length === 1 ? values(name)[0] : values(name),
    ]),
  );
}

function wrongCredential(order: Members): string | null {
  const headers = Object.entries(membersOf(order['headers']));
  const authorization = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  const isOfTheRun = typeof authorization === 'string' && AUTHORIZATION.test(authorization);
  if (authorization !== undefined && !isOfTheRun) {
    return 'an Authorization header of its own';
  }
  if (order['text'] !== undefined) return 'a body as text, whose credentials are not known';
  const parts = ['fields', 'query', 'form', 'json', 'parameters'].map((part) =>
    membersOf(order[part]),
  );
  const field = [...parts, queryOf(order['path'])]
    .map(wrongField)
    .find((name) => name !== undefined);
  return field === undefined ? null : `a ${field} of its own`;
}

/** null where there is no harm in the step. */
export function harmOf(
  step: ScenarioStep,
  endpoint: EndpointName,
  hasSecret: boolean,
): string | null {
  if (typeof step.repeat === 'object' || (step.repeat ?? 1) > 1) return 'is repeated';
  if (CHANGING.includes(endpoint)) return `uses the ${ENDPOINTS[endpoint].words}`;
  const order = membersOf(step.token ?? step.authorize ?? step.authorize_device ?? step.request);
  if (order['client_auth'] === 'none' && hasSecret) return 'sends no client authentication';
  const wrong = wrongCredential(order);
  if (wrong !== null) return `sends ${wrong}`;
  if (isJsonObject(order['dpop'])) return 'sends a DPoP proof with deliberate mistakes';
  const method = step.request?.method ?? 'GET';
  return ['GET', 'HEAD', 'OPTIONS', 'POST'].includes(method) ? null : `is sent with ${method}`;
}
