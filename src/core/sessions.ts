// Sign-in sessions at the authorization endpoint (behaviour 6): who is signed in, since when, and what
// that person agreed to before. Times are milliseconds of the sandbox clock.

import type { Random } from './ports.ts';
import { encodeRandom } from './tokens.ts';

/** What a person agreed to: one client's access to one audience. */
export interface ConsentSubject {
  readonly client_id: string;
  /** null while the exchange of the code decides it. */
  readonly audience: string | null;
}

export interface Session {
  /** Known to one browser alone. */
  readonly id: string;
  readonly sub: string;
  readonly auth_time: number;
  readonly expires_at: number;
  /** Scopes agreed to, by client and audience. */
  readonly consents: Map<string, ReadonlySet<string>>;
}

export interface Sessions {
  /** The live session of this id, if any. */
  find(id: string | null, now: number): Session | undefined;
  /** Signs a person in; what the same person agreed to in a former session still holds. */
  begin(sub: string, former: Session | undefined, now: number): Session;
  /** False when there is no such session. */
  end(id: string): boolean;
  /** Forgets what has expired, so that a clock set back brings nothing to life. */
  expireAll(now: number): void;
  clear(): void;
}

const keyOf = ({ client_id, audience }: ConsentSubject) => `${client_id}\n${audience ?? ''}`;

/** Whether the person agreed to all of these scopes before. */
export function hasConsent(
  session: Session,
  subject: ConsentSubject,
  scopes: readonly string[],
): boolean {
  const agreed = session.consents.get(keyOf(subject));
  return agreed !== undefined && scopes.every((scope) => agreed.has(scope));
}

/** Remembers a decision: what was asked and granted is agreed to, what was asked and not granted is not. */
export function rememberConsent(
  session: Session,
  subject: ConsentSubject,
  asked: readonly string[],
  granted: readonly string[],
): void {
  const agreed = new Set(session.consents.get(keyOf(subject)));
  for (const scope of asked) agreed.delete(scope);
  for (const scope of granted) agreed.add(scope);
  session.consents.set(keyOf(subject), agreed);
}

/**
 * @param lifetime of a session, in seconds
 * @param capacity sessions kept at most; the oldest goes first
 */
export function createSessions(
  random: Random,
  lifetime: () => number,
  capacity = 10_000,
): Sessions {
  const sessions = new Map<string, Session>();

  const makeRoom = () => {
    if (sessions.size < capacity) return;
    for (const oldest of sessions.keys()) {
      sessions.delete(oldest);
      return;
    }
  };
  return {
    find: (id, now) => {
      const session = id === null ? undefined : sessions.get(id);
      if (session === undefined || session.expires_at > now) return session;
      sessions.delete(session.id);
      return undefined;
    },
    begin: (sub, former, now) => {
      if (former !== undefined) sessions.delete(former.id);
      makeRoom();
      const session: Session = {
        // A new id with each sign-in: one that was planted before it is worth nothing.
        id: encodeRandom(random(32)),
        sub,
        auth_time: now,
        expires_at: now + lifetime() * 1000,
        consents: former?.sub === sub ? former.consents : new Map<string, ReadonlySet<string>>(),
      };
      sessions.set(session.id, session);
      return session;
    },
    end: (id) => sessions.delete(id),
    expireAll: (now) => {
      for (const { id, expires_at } of sessions.values()) {
        if (expires_at <= now) sessions.delete(id);
      }
    },
    clear: () => {
      sessions.clear();
    },
  };
}
