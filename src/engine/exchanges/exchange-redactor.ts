// Collects the secrets for the redactor: those of clients, users, registration and keys, and those that a front end
// adds. Former secrets stay for a while, because captured exchanges may contain them. Issued credentials are looked
// up in the stores when something is shown, never while a token is issued.

import type { DomainEvent } from '../../core/model/ports.ts';
import { PRIVATE_JWK_MEMBERS } from '../../core/records/enumerations.ts';
import type { TokenService } from '../../core/service.ts';
import type { CapturedExchange } from '../../server/capture.ts';
import type { SigningKey } from '../../core/model/ports.ts';
import { createKnownValues } from '../../redact/known-values.ts';
import type { Layer } from '../../redact/layers.ts';
import { createRedactor, createSecretCheck, type Redactor } from '../../redact/redactor.ts';

export interface ExchangeRedactor extends Redactor {
  /** Returns the redacted target of a captured exchange; cached until another secret is added. */
  readonly targetOf: (exchange: Pick<CapturedExchange, 'target'>) => string;
}

export type Redaction = ReturnType<typeof createRedaction>;

/** Minimum number of former secrets that are kept, newest first. */
const LEAST_FORMER = 1000;

const asItIs = (text: string): string => text;

/** Redacts nothing. */
const REVEALING: ExchangeRedactor = {
  target: asItIs,
  targetOf: ({ target }) => target,
  headerName: asItIs,
  headerValue: (_name, value) => value,
  requestBody: asItIs,
  responseBody: asItIs,
  words: asItIs,
};

const privateParts = ({ private_jwk }: SigningKey): string[] =>
  PRIVATE_JWK_MEMBERS.map(
    (name) => (private_jwk as Readonly<Record<string, unknown>>)[name],
  ).filter((part) => typeof part === 'string');

function secretsOf({ registry, keyring, settings }: TokenService): Set<string> {
  const clients = registry.clients
    .list()
    .flatMap(({ client_secret, registration_access_token: token = null }) => [
      client_secret,
      token,
    ]);
  const users = registry.users.list().map(({ password }) => password);
  const keys = keyring.list().flatMap(privateParts);
  return new Set(
    [...clients, ...users, ...keys, settings().registration.token].filter((one) => one !== null),
  );
}

/** Adds each new secret, and drops the oldest former ones. */
function createMemory(service: TokenService) {
  const { registry, keyring, settings } = service;
  const known = createKnownValues();
  /** The newest comes last. */
  const learned = new Set<string>();
  /** Secrets that are not indexed yet, so that a start with thousands of clients is not delayed. */
  const unfiled = new Set<string>();
  /** The number of secrets added. */
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
    // Twice the number, so that the loop over all secrets runs rarely.
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
    // Not every new key emits an event.
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
) {
  const { stores, clock } = service.ports;
  const memory = createMemory(service);
  listen(({ type }) => {
    if (type === 'settings') memory.learnSettings();
    if (type === 'keys' || type === 'key_generated') memory.learnKeys();
  });
  const ports = {
    known: memory,
    // An asynchronous store may have issued it, so the text is redacted to be safe.
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
  /** The redacted targets, and the number of secrets at that time. */
  const targets = new WeakMap<object, { readonly secrets: number; readonly shown: string }>();
  const targetOf: ExchangeRedactor['targetOf'] = (exchange) => {
    const known = targets.get(exchange);
    const secrets = memory.count();
    if (known?.secrets === secrets) return known.shown;
    const shown = redactor.target(exchange.target);
    targets.set(exchange, { secrets, shown });
    return shown;
  };
  const exchangeRedactor: ExchangeRedactor = { ...redactor, targetOf };
  return {
    ...exchangeRedactor,
    /** Redacts an additional value for the lifetime of the engine. */
    hide: memory.hide,
    /** Whether the text contains a secret of the sandbox. */
    holdsSecret: (text: string) => createSecretCheck(ports)(text),
    /** @param secrets whether the caller requested secrets */
    unless: (secrets: boolean) => (secrets ? REVEALING : exchangeRedactor),
  };
}
