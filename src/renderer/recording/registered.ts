// What is registered in the sandbox, as the workspace part of a scenario: the clients that the recording is about,
// users, audiences and settings, without the members that have their defaults, and with stand-ins for secrets.

import { isJsonObject } from '../../oauth/json-object.ts';
import { TOKEN_PATH } from '../../oauth/token-request.ts';
import type { Fault } from '../../control/fault-schemas.ts';
import type { ScenarioWorkspace } from '../../scenario/schema.ts';
import {
  audienceSchema,
  clientSchema,
  settingsSchema,
  userSchema,
  type Audience,
  type Client,
  type Exchange,
  type Settings,
  type Shape,
  type User,
} from '../../control/schemas.ts';
import { bodyText } from '../exchange/answer.ts';
import { exchangeOf, type RecordedEvent } from './recorded-event.ts';
import { hadPassword, INITIAL_ACCESS_TOKEN, RIGHT_PASSWORD, secretOf } from './stand-ins.ts';

/** Lists in any order; the client of the walk comes first. */
export interface Sandbox {
  readonly issuer: string;
  readonly clients: readonly Client[];
  readonly users: readonly Omit<User, 'has_password'>[];
  readonly audiences: readonly Audience[];
  readonly settings: Settings;
  /** The provider that is imitated; left out for none. */
  readonly shape?: Shape | undefined;
  /** Rules that requests of the walk ran into. */
  readonly faults: readonly Fault[];
}

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

/** Whether a request was about the password of a user who has one (RFC 6749 4.3.2). */
function isAboutPassword(exchange: Exchange, { sub, email }: Sandbox['users'][number]): boolean {
  const { path, status, request, deviation_notes } = exchange;
  const fields = new URLSearchParams(path === TOKEN_PATH ? bodyText(request) : '');
  const username = fields.get('username') ?? '';
  if (fields.get('grant_type') !== 'password' || ![sub, email].includes(username)) return false;
  const any = deviation_notes.some(({ id }) => id === 'password_not_set');
  return !hadPassword(exchange) || (status === 200 && !any);
}

/** With a password, which is a stand-in, only where the recording needs one. */
function writtenUser(user: Sandbox['users'][number], events: readonly RecordedEvent[]) {
  const { sub, ...rest } = user;
  const { password: _password, ...shown } = without(userSchema.parse({ sub }), rest);
  const needed = events
    .map(exchangeOf)
    .some((exchange) => exchange !== null && isAboutPassword(exchange, user));
  return { sub, ...shown, ...(needed ? { password: RIGHT_PASSWORD } : {}) };
}

const writtenAudience = ({ uri, ...rest }: Audience) => ({
  uri,
  ...without(audienceSchema.parse({ uri }), rest),
});

const idsOf = (event: RecordedEvent): readonly (string | null)[] =>
  event.kind === 'issue'
    ? [event.request.client_id]
    : [event.kind === 'decision' ? event.client_id : event.exchange.client_id];

/** The clients of the walk, the one that begins it first; of all there are when none is known. */
export function clientsOf(sandbox: Pick<Sandbox, 'clients'>, events: readonly RecordedEvent[]) {
  const seen = new Set(events.flatMap(idsOf));
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
  const { users, audiences, shape } = sandbox;
  const settings = withStandIns(sandbox.settings);
  // A shape brings settings of its own where the workspace has none.
  const written = shape === undefined ? without(settingsSchema.parse({}), settings) : settings;
  return {
    clients: clientsOf(sandbox, events).map(writtenClient),
    users: users.map((user) => writtenUser(user, events)),
    audiences: audiences.map(writtenAudience),
    ...(Object.keys(written).length === 0 ? {} : { settings: written }),
    ...(shape === undefined ? {} : { shape }),
  };
}
