// Writes the registered records as the workspace of a scenario: the clients of the recording, users, audiences and
// settings, without members that have their defaults, and with placeholders for secrets.

import { isJsonObject } from '../../json.ts';
import type { ScenarioStep, ScenarioWorkspace } from '../../scenario/schema.ts';
import {
  type Audience,
  audienceSchema,
  type Client,
  clientSchema,
  type Exchange,
  type Settings,
  settingsSchema,
  userSchema,
} from '../../control/schemas.ts';
import { bodyText } from '../exchange/answer.ts';
import { exchangeOf, type RecordedEvent, type Sandbox } from './recording.ts';
import {
  basicAuthorization,
  type Credentials,
  isBasic,
  readBasic,
} from '../../oauth/client-authentication.ts';
import { createClientRedactor } from '../../redact/redactor.ts';
import { REDACTED } from '../../redact/spans.ts';

type Members = Readonly<Record<string, unknown>>;

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The members that differ from the defaults, at any depth. */
function without(defaults: Members, record: Members): Record<string, unknown> {
  const kept = Object.entries(record).filter(([name, value]) => !same(value, defaults[name]));
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const usual = defaults[name];
      return [name, isJsonObject(value) && isJsonObject(usual) ? without(usual, value) : value];
    }),
  );
}

function writtenClient(client: Client) {
  const { client_id, client_secret, ...rest } = client;
  const {
    client_id: _id,
    client_secret: _secret,
    ...usual
  } = clientSchema.parse({
    client_id: 'any',
    client_secret: 'any',
  });
  const secret = client_secret === null ? null : secretOf(client);
  return { client_id, client_secret: secret, ...without(usual, rest) };
}

/** Whether a request was about the password of a user who has one (RFC 6749 4.3.2, behaviour 7.5). */
function isAboutPassword(exchange: Exchange, { sub, email }: Sandbox['users'][number]): boolean {
  const { endpoint, status, request, deviation_notes, why, trace } = exchange;
  if (why?.reason === 'sign_in_password_wrong') {
    return trace.some(({ id, got }) => id === 'user' && got === sub);
  }
  const fields = new URLSearchParams(endpoint === 'token' ? bodyText(request) : '');
  const username = fields.get('username') ?? '';
  if (fields.get('grant_type') !== 'password' || ![sub, email].includes(username)) return false;
  const any = deviation_notes.some(({ id }) => id === 'password_not_set');
  return !hadPassword(exchange) || (status === 200 && !any);
}

/** The user, with a placeholder for the password only if the recording needs one. */
function writtenUser(user: Sandbox['users'][number], events: readonly RecordedEvent[]) {
  const { sub, ...rest } = user;
  const {
    password: _password,
    has_password: _known,
    ...shown
  } = without(userSchema.parse({ sub }), rest);
  const needed = events
    .map(exchangeOf)
    .some((exchange) => exchange !== null && isAboutPassword(exchange, user));
  return { sub, ...shown, ...(needed ? { password: RIGHT_PASSWORD } : {}) };
}

const writtenAudience = ({ uri, ...rest }: Audience) => ({
  uri,
  ...without(audienceSchema.parse({ uri }), rest),
});

function clientIdOf(event: RecordedEvent): string | null {
  switch (event.kind) {
    case 'issue':
    case 'minted':
      return event.request.client_id;
    case 'decision':
      return event.client_id;
    case 'ended':
      return null;
    case 'exchange':
    case 'burst':
      return event.exchange.client_id;
  }
}

/** The clients of the recording in order of appearance; the first registered client when it has none. */
export function clientsOf(sandbox: Pick<Sandbox, 'clients'>, events: readonly RecordedEvent[]) {
  const seen = new Set(events.map(clientIdOf));
  const found = [...seen].flatMap(
    (id) => sandbox.clients.find(({ client_id }) => client_id === id) ?? [],
  );
  return found.length > 0 ? found : sandbox.clients.slice(0, 1);
}

function withStandIns({ registration, ...settings }: Settings): Settings {
  const token = registration.token === null ? null : INITIAL_ACCESS_TOKEN;
  return { ...settings, registration: { ...registration, token } };
}

export function registered(sandbox: Sandbox, events: readonly RecordedEvent[]): ScenarioWorkspace {
  const { users, audiences, apis = [], shape } = sandbox;
  const callsApi = events.some((event) => exchangeOf(event)?.endpoint === 'api');
  const settings = withStandIns(sandbox.settings);
  // A shape provides settings that the workspace omits, so all settings are written.
  const written = shape === undefined ? without(settingsSchema.parse({}), settings) : settings;
  return {
    clients: clientsOf(sandbox, events).map(writtenClient),
    users: users.map((user) => writtenUser(user, events)),
    audiences: audiences.map(writtenAudience),
    ...(callsApi ? { apis: [...apis] } : {}),
    ...(Object.keys(written).length === 0 ? {} : { settings: written }),
    ...(shape === undefined ? {} : { shape }),
  };
}

/** Long enough as a key for HS256 (RFC 7518 3.2), where the client signs with it. */
const secretOf = ({ client_id, token_endpoint_auth_method }: Client): string => {
  const secret = `the-secret-of-${client_id}`;
  return token_endpoint_auth_method === 'client_secret_jwt' ? secret.padEnd(32, '-') : secret;
};

export const WRONG_SECRET = 'not-the-secret-of-this-client';
export const RIGHT_PASSWORD = 'the-password-of-this-user';
export const WRONG_PASSWORD = 'not-the-password-of-this-user';
const INITIAL_ACCESS_TOKEN = 'the-initial-access-token';
/** The placeholder for a code or a token that nothing in the recording issued. */
export const UNKNOWN_CREDENTIAL = 'nobody-issued-this';

/** An Authorization header with a secret that is not the client's. */
export const wrongBasic = (sent: Credentials | null): string =>
  basicAuthorization({ client_id: sent?.client_id ?? '', client_secret: WRONG_SECRET });

/** Whether the password in the request was accepted (RFC 6749 4.3.2). */
export const hadPassword = ({ why }: Exchange): boolean => why?.check !== 'user';

/** Whether the value is a wrong secret in Basic encoding, which looks like a credential. */
const isStandIn = (value: string): boolean =>
  isBasic(value) && readBasic(value)?.client_secret === WRONG_SECRET;

/** Not secret, although as long as a credential: they belong to one run (RFC 7636 4.1, 4.2). */
const OPEN = ['code_challenge', 'code_verifier'];

/** @param has_stand_ins whether passwords are placeholders that the scenario's own workspace registers */
export function withoutSecrets(
  steps: readonly ScenarioStep[],
  clients: readonly Client[],
  has_stand_ins: boolean,
): ScenarioStep[] {
  const { words } = createClientRedactor(clients);
  const member = (name: string, value: unknown): unknown => {
    if (name === 'password' && typeof value === 'string') return has_stand_ins ? value : REDACTED;
    return OPEN.includes(name) ? value : hidden(value);
  };
  const hidden = (value: unknown): unknown => {
    if (typeof value === 'string') return isStandIn(value) ? value : words(value);
    if (Array.isArray(value)) return value.map(hidden);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, member(name, inner)]),
    );
  };
  return steps.map((step) => hidden(step) as ScenarioStep);
}
