// What an engine must not show, handed to the redactor: secrets of clients, of the registration and of its
// keys, and whatever its shells add; former ones for a while, since captured exchanges may hold them. What
// was issued is asked of the stores. Looked up when something is shown, never while a token is issued.

import type { DomainEvent } from '../core/events.ts';
import type { TokenService } from '../core/service.ts';
import type { SigningKey } from '../core/signing.ts';
import { createKnownValues } from '../redact/known-values.ts';
import { createRedactor, type Redactor } from '../redact/redactor.ts';

export interface Redaction extends Redactor {
  /** Keeps one more value from being shown, as long as this engine lives. */
  readonly hide: (value: string) => void;
  /** @param secrets whether somebody asked for everything as it was */
  readonly unless: (secrets: boolean) => Redactor;
}

/** Values that were secrets and are none any more: the newest. */
const MOST_FORMER = 1000;

const asItIs = (text: string): string => text;

/** Hides nothing. */
const REVEALING: Redactor = {
  target: asItIs,
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

function secretsOf({ registry, keyring, settings }: TokenService): Set<string> {
  const clients = registry.clients.list().map(({ client_secret }) => client_secret);
  const keys = keyring.list().flatMap(privateParts);
  const all = [...clients, ...keys, settings().registration.token];
  return new Set(all.filter((secret) => secret !== null));
}

export function createRedaction(
  service: TokenService,
  listen: (listener: (event: DomainEvent) => void) => void,
): Redaction {
  const { stores, clock } = service.ports;
  const known = createKnownValues();
  let current: ReadonlySet<string> = new Set();
  /** The oldest first. */
  const former = new Set<string>();
  let stale = true;
  listen(({ type }) => {
    if (type === 'registry' || type === 'settings' || type === 'keys') stale = true;
  });

  const retire = (value: string) => {
    former.delete(value);
    former.add(value);
    if (former.size <= MOST_FORMER) return;
    for (const oldest of former) {
      former.delete(oldest);
      known.delete(oldest);
      return;
    }
  };
  const refresh = () => {
    if (!stale) return;
    stale = false;
    const next = secretsOf(service);
    for (const value of next) {
      if (!current.has(value) && !former.delete(value)) known.add(value);
    }
    for (const value of current) if (!next.has(value)) retire(value);
    current = next;
  };

  const redactor = createRedactor({
    known: {
      spansIn: (layer) => {
        refresh();
        return known.spansIn(layer);
      },
      whole: (value) => {
        refresh();
        return known.whole(value);
      },
    },
    // A store that answers later may have issued it: better one text too many is hidden.
    isIssued: (value) =>
      [
        stores.findCode(value, clock.now()),
        stores.findRefreshToken(value, clock.now()),
        stores.findOpaqueToken(value),
      ].some((found) => found !== undefined),
  });
  return {
    ...redactor,
    hide: (value) => {
      known.add(value);
    },
    unless: (secrets) => (secrets ? REVEALING : redactor),
  };
}
