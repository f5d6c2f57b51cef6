// What is registered in the sandbox, as the workspace part of a scenario: the clients that the walk was
// about, users, audiences and settings, without the members that have their defaults.

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
  return { client_id, client_secret, ...without(usual, rest) };
}

/** For a user whose password the walk never had right. */
const UNKNOWN_PASSWORD = 'the-password-of-this-user';

/** The password that a request was sent with, where the user has one (RFC 6749 4.3.2). */
function passwordIn(
  { path, status, request, why, deviation_notes }: Exchange,
  { sub, email }: Sandbox['users'][number],
): string | null {
  const fields = new URLSearchParams(path === TOKEN_PATH ? bodyText(request) : '');
  const username = fields.get('username') ?? '';
  if (fields.get('grant_type') !== 'password' || ![sub, email].includes(username)) return null;
  if (why?.check === 'user') return UNKNOWN_PASSWORD;
  const any = deviation_notes.some(({ id }) => id === 'password_not_set');
  return status === 200 && !any ? fields.get('password') : null;
}

/** With a password only where the walk needs it: nobody is told those in the workspace. */
function writtenUser(user: Sandbox['users'][number], events: readonly RecordedEvent[]) {
  const { sub, ...rest } = user;
  const { password: _password, ...shown } = without(userSchema.parse({ sub }), rest);
  const known = events
    .map(exchangeOf)
    .flatMap((exchange) => (exchange === null ? [] : (passwordIn(exchange, user) ?? [])));
  const password = known.find((one) => one !== UNKNOWN_PASSWORD) ?? known[0];
  return { sub, ...shown, ...(password === undefined ? {} : { password }) };
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

export function registered(sandbox: Sandbox, events: readonly RecordedEvent[]): ScenarioWorkspace {
  const { users, audiences, settings, shape } = sandbox;
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
