// What is registered in the sandbox, as the workspace part of a scenario: the clients that the walk was
// about, users, audiences and settings, without the members that have their defaults.

import { isJsonObject } from '../../../../oauth/json-object.ts';
import type { Fault } from '../../../../control/fault-schemas.ts';
import type { ScenarioWorkspace } from '../../../../scenario/schema.ts';
import {
  audienceSchema,
  clientSchema,
  settingsSchema,
  userSchema,
  type Audience,
  type Client,
  type Settings,
  type User,
} from '../../../../control/schemas.ts';
import type { FlowEvent } from '../flow-state.ts';

/** Lists in any order; the client of the walk comes first. */
export interface Sandbox {
  /** Without trailing slash. */
  readonly issuer: string;
  readonly clients: readonly Client[];
  readonly users: readonly User[];
  readonly audiences: readonly Audience[];
  readonly settings: Settings;
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

const writtenUser = ({ sub, ...rest }: User) => ({
  sub,
  ...without(userSchema.parse({ sub }), rest),
});

const writtenAudience = ({ uri, ...rest }: Audience) => ({
  uri,
  ...without(audienceSchema.parse({ uri }), rest),
});

const idsOf = (event: FlowEvent): readonly (string | null)[] =>
  event.kind === 'issue' ? [event.request.client_id] : [event.exchange.client_id];

/** The clients of the walk, the one that begins it first; of all there are when none is known. */
export function clientsOf(sandbox: Pick<Sandbox, 'clients'>, events: readonly FlowEvent[]) {
  const seen = new Set(events.flatMap(idsOf));
  const found = [...seen].flatMap(
    (id) => sandbox.clients.find(({ client_id }) => client_id === id) ?? [],
  );
  return found.length > 0 ? found : sandbox.clients.slice(0, 1);
}

export function registered(sandbox: Sandbox, events: readonly FlowEvent[]): ScenarioWorkspace {
  const { users, audiences, settings } = sandbox;
  const differing = without(settingsSchema.parse({}), settings);
  return {
    clients: clientsOf(sandbox, events).map(writtenClient),
    users: users.map(writtenUser),
    audiences: audiences.map(writtenAudience),
    ...(Object.keys(differing).length === 0 ? {} : { settings: differing }),
  };
}
