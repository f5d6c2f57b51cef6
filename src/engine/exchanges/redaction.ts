// What an engine must not show, handed to the redactor: secrets of clients and users, of the registration and of its
// keys, and whatever its shells add; former ones for a while, since captured exchanges may hold them. What
// was issued is asked of the stores when something is shown, never while a token is issued.

import type { DomainEvent } from '../../core/model/ports.ts';
import type { TokenService } from '../../core/service.ts';
import type { CapturedExchange } from '../../server/capture.ts';
import type { SigningKey } from '../../core/issuing/signing-key.ts';
import { createKnownValues } from '../../redact/known-values.ts';
import type { Layer } from '../../redact/layers.ts';
import { createRedactor, createSecretCheck, type Redactor } from '../../redact/redactor.ts';

export interface ExchangeRedactor extends Redactor {
  /** What the target of a captured exchange shows; looked through once, until another secret is known. */
  readonly targetOf: (exchange: Pick<CapturedExchange, 'target'>) => string;
}

export interface Redaction extends ExchangeRedactor {
  /** Keeps one more value from being shown, as long as this engine lives. */
  readonly hide: (value: string) => void;
  /** Whether a secret of the sandbox stands in the text. */
  readonly holdsSecret: (text: string) => boolean;
  /** @param secrets whether somebody asked for everything as it was */
  readonly unless: (secrets: boolean) => ExchangeRedactor;
}

/** Values that were secrets and are none any more: so many of the newest are kept at least. */
const LEAST_FORMER = 1000;

const asItIs = (text: string): string => text;

/** Hides nothing. */
const REVEALING: ExchangeRedactor = {
  target: asItIs,
  targetOf: ({ target }) => target,
  headerName: asItIs,
  headerValue: (_name, value) => value,
  requestBody: asItIs,
  responseBody: asItIs,
  words: asItIs,
};

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'] as const;

const privateParts = ({ private_jwk }: SigningKey): string[] =>
  PRIVATE_MEMBERS.map((name) => (private_jwk as Readonly<Record<string, unknown>>)[name]).filter(
    (part) => typeof part === 'string',
  );

/** What is secret now. */
function secretsOf({ registry, keyring, settings }: TokenService): Set<string> {
  const clients = registry.clients.list().map(({ client_secret }) => client_secret);
  const users = registry.users.list().map(({ password }) => password);
  const keys = keyring.list().flatMap(privateParts);
  return new Set(
    [...clients, ...users, ...keys, settings().registration.token].filter((one) => one !== null),
  );
}

/** Learns each secret as it comes, and forgets the oldest of those that are none any more. */
function createMemory(service: TokenService) {
  const { registry, keyring, settings } = service;
  const known = createKnownValues();
  /** The one learned last comes last. */
  const learned = new Set<string>();
  /** Not filed yet: a start with thousands of clients does not wait for what nobody looks at. */
  const unfiled = new Set<string>();
  /** How many were learned. */
  let count = 0;
  let newestKey: SigningKey | undefined;

  const forget = () => {
    const current = secretsOf(service);
    let surplus = learned.size - current.size - LEAST_FORMER;
    for (const value of learned) {
      if (surplus <= 0) return;
      if (current.has(value)) continue;
      learned.delete(value);
      if (!unfiled.delete(value)) known.delete(value);
      surplus -= 1;
    }
  };
  const learn = (value: string | null) => {
    if (value === null) return;
    if (!learned.delete(value)) {
      unfiled.add(value);
      count += 1;
    }
    learned.add(value);
    // Twice as many, so that the walk over all is seldom.
    const records = registry.clients.size + registry.users.size;
    if (learned.size > records + 2 * LEAST_FORMER) forget();
  };
  const learnKeys = () => {
    const keys = keyring.list();
    if (keys.at(-1) === newestKey) return;
    newestKey = keys.at(-1);
    for (const part of keys.flatMap(privateParts)) learn(part);
  };
  const file = () => {
    // Not every new key has an event.
    learnKeys();
    for (const value of unfiled) known.add(value);
    unfiled.clear();
  };
  registry.onSecret(learn);
  return {
    learnKeys,
    learnSettings: () => {
      learn(settings().registration.token);
    },
    hide: (value: string) => {
      known.add(value);
      count += 1;
    },
    count: () => {
      learnKeys();
      return count;
    },
    spansIn: (layer: Layer) => {
      file();
      return known.spansIn(layer);
    },
    whole: (value: string) => {
      file();
      return known.whole(value);
    },
  };
}

export function createRedaction(
  service: TokenService,
  listen: (listener: (event: DomainEvent) => void) => void,
): Redaction {
  const { stores, clock } = service.ports;
  const memory = createMemory(service);
  listen(({ type }) => {
    if (type === 'settings') memory.learnSettings();
    if (type === 'keys') memory.learnKeys();
  });
  const ports = {
    known: memory,
    // A store that answers later may have issued it: better one text too many is hidden.
    isIssued: (value: string) => {
      const now = clock.now();
      return [
        stores.findCode(value, now),
        stores.findRefreshToken(value, now),
        stores.findOpaqueToken(value),
      ].some((found) => found !== undefined);
    },
  };
  const redactor = createRedactor(ports);
  /** What targets show, and how many secrets were known when they were looked through. */
  const targets = new WeakMap<object, { readonly secrets: number; readonly shown: string }>();
  const targetOf: ExchangeRedactor['targetOf'] = (exchange) => {
    const known = targets.get(exchange);
    const secrets = memory.count();
    if (known?.secrets === secrets) return known.shown;
    const shown = redactor.target(exchange.target);
    targets.set(exchange, { secrets, shown });
    return shown;
  };
  const exchangeRedactor = { ...redactor, targetOf };
  return {
    ...exchangeRedactor,
    hide: memory.hide,
    holdsSecret: (text) => createSecretCheck(ports)(text),
    unless: (secrets) => (secrets ? REVEALING : exchangeRedactor),
  };
}
