// Sign-in sessions at the authorization endpoint (behaviour 7.5): which user is signed in, since when, and what the
// user has consented to. Times are milliseconds of the sandbox clock.

import { type Bounds, createBoundedMap } from '../collections/bounded-map.ts';
import { keptText } from '../collections/kept-text.ts';
import type { Random } from '../model/ports.ts';
import { encodeRandom } from '../issuing/random-text.ts';
import { jsonBytes, textBytes } from '../collections/weight.ts';
import type { SignInClaims } from '../model/credentials.ts';
import type { Domain } from '../model/domain.ts';
import type { User } from '../records/schemas.ts';
import { beyond, scopesOf } from '../registry/scopes.ts';

/** A consent of the user: the access of one client to one audience. */
interface ConsentSubject {
  readonly client_id: string;
  /** null if it is decided when the code is exchanged. */
  readonly audience: string | null;
}

/** A client that the user signed in to, and the `sid` of that session in its ID tokens. */
export interface SessionClient {
  readonly client_id: string;
  readonly sid: string;
}

export interface Session {
  /** A secret that only one browser has. */
  readonly id: string;
  readonly sub: string;
  readonly auth_time: number;
  /** The authentication context class of the sign-in; null for none. */
  readonly acr: string | null;
  readonly claims: SignInClaims | null;
  readonly expires_at: number;
  /** The user's consents, oldest first. The array is replaced, never mutated. */
  readonly consents: readonly Consent[];
  /** The clients that the user signed in to, the latest last. */
  readonly clients: readonly SessionClient[];
}

interface Consent extends ConsentSubject {
  /** The scopes, separated by spaces. */
  readonly scope: string;
}

export type Sessions = ReturnType<typeof createSessions>;

/** The browser, identified by its cookies. */
export interface Visitor {
  /** Identifies a session; null without one. */
  readonly session: string | null;
  /** Identifies the browser: a form is valid only in the browser it was issued to. */
  readonly browser: string;
}

export interface SignedIn {
  readonly session: Session;
  readonly user: User;
}

/** Returns the signed-in user; undefined if the user was deleted. */
export function signedIn(
  { ports, registry }: Domain,
  sessions: Sessions,
  { session: id }: Visitor,
): SignedIn | undefined {
  const session = sessions.find(id, ports.clock.now());
  const user = session === undefined ? undefined : registry.users.get(session.sub);
  return session === undefined || user === undefined ? undefined : { session, user };
}

const isAbout = (consent: ConsentSubject, { client_id, audience }: ConsentSubject) =>
  consent.client_id === client_id && consent.audience === audience;

/** Whether the user has already consented to all of these scopes. */
export function hasConsent(
  { consents }: Session,
  subject: ConsentSubject,
  scopes: readonly string[],
): boolean {
  const consent = consents.find((one) => isAbout(one, subject));
  return consent !== undefined && beyond(scopes, scopesOf(consent.scope)).length === 0;
}

const MIB = 1024 * 1024;

/** The oldest session is removed first. */
export const SESSION_BOUNDS = { entries: 10_000, bytes: 6 * MIB } as const;

/** Maximum consents of one user; the oldest is removed first, and the user is asked again. */
const MAX_CONSENTS = 100;

/** Maximum clients of one session; the one that was signed in to first is removed first. */
const MAX_CLIENTS = 100;

const SESSION_BYTES = 320;
const CONSENT_BYTES = 280;
const CLIENT_BYTES = 160;

function weigh({ sub, acr, claims, consents, clients }: Session): number {
  let bytes = SESSION_BYTES + textBytes(sub) + textBytes(acr ?? '') + jsonBytes(claims);
  for (const { client_id, audience, scope } of consents) {
    bytes += CONSENT_BYTES + textBytes(client_id) + textBytes(audience ?? '') + textBytes(scope);
  }
  for (const { client_id, sid } of clients) {
    bytes += CLIENT_BYTES + textBytes(client_id) + textBytes(sid);
  }
  return bytes;
}

function withDecision(
  consents: readonly Consent[],
  { client_id, audience }: ConsentSubject,
  asked: readonly string[],
  granted: readonly string[],
): readonly Consent[] {
  const subject = { client_id, audience: audience === null ? null : keptText(audience) };
  const before = consents.find((one) => isAbout(one, subject))?.scope ?? '';
  const agreed = new Set([...beyond(scopesOf(before), asked), ...granted]);
  const others = consents.filter((one) => !isAbout(one, subject));
  const consent = { ...subject, scope: keptText([...agreed].join(' ')) };
  return [...others.slice(1 - MAX_CONSENTS), consent];
}

/** @param lifetime of a session, in seconds */
export function createSessions(
  random: Random,
  lifetime: () => number,
  bounds: Bounds = SESSION_BOUNDS,
) {
  const sessions = createBoundedMap<string, Session>(bounds, weigh);

  return {
    /** Returns the live session with this id, if any. */
    find: (id: string | null, now: number): Session | undefined => {
      const session = id === null ? undefined : sessions.get(id);
      if (session === undefined || session.expires_at > now) return session;
      sessions.delete(session.id);
      return undefined;
    },
    /** Signs a user in. Consents that the same user gave in the previous session still apply. */
    begin: (
      sub: string,
      former: Session | undefined,
      now: number,
      { acr = null, claims = null }: Partial<Pick<Session, 'acr' | 'claims'>> = {},
    ) => {
      if (former !== undefined) sessions.delete(former.id);
      const session: Session = {
        // Each sign-in has a new id, so that an attacker cannot fix it beforehand.
        id: encodeRandom(random(32)),
        sub,
        auth_time: now,
        acr: acr === null ? null : keptText(acr),
        claims,
        expires_at: now + lifetime() * 1000,
        consents: former?.sub === sub ? former.consents : [],
        clients: former?.sub === sub ? former.clients : [],
      };
      sessions.set(session.id, session);
      return session;
    },
    /** Records a decision: requested scopes that were granted are consented to, the other requested ones are not. */
    agree: (
      { id }: Session,
      subject: ConsentSubject,
      asked: readonly string[],
      granted: readonly string[],
    ) => {
      const session = sessions.get(id);
      if (session === undefined) return;
      const consents = withDecision(session.consents, subject, asked, granted);
      sessions.set(id, { ...session, consents });
    },
    /** Records that the user has signed in to a client. */
    enter: ({ id }: Session, { client_id, sid }: SessionClient) => {
      const session = sessions.get(id);
      if (session === undefined) return;
      const others = session.clients.filter((one) => one.client_id !== client_id);
      const entered = { client_id: keptText(client_id), sid: keptText(sid) };
      sessions.set(id, { ...session, clients: [...others.slice(1 - MAX_CLIENTS), entered] });
    },
    clientsOf: (sub: string) =>
      [...sessions.values()].flatMap((session) => (session.sub === sub ? session.clients : [])),
    /** Returns false if there is no such session. */
    end: sessions.delete,
    /** Signs a user out in every browser. */
    endOfUser: (sub: string) => {
      for (const session of [...sessions.values()])
        if (session.sub === sub) sessions.delete(session.id);
    },
    /** Removes these clients, and all consents for them. */
    forgetClients: (client_ids: ReadonlySet<string>) => {
      for (const [id, session] of [...sessions.entries()]) {
        const isKept = ({ client_id }: { client_id: string }) => !client_ids.has(client_id);
        const [consents, clients] = [session.consents, session.clients];
        if (consents.every(isKept) && clients.every(isKept)) continue;
        sessions.set(id, {
          ...session,
          consents: consents.filter(isKept),
          clients: clients.filter(isKept),
        });
      }
    },
    /** Removes expired sessions, so that they do not become live again when the clock is set back. */
    expireAll: (now: number) => {
      for (const { id, expires_at } of sessions.values()) {
        if (expires_at <= now) sessions.delete(id);
      }
    },
    clear: sessions.clear,
    fill: sessions.fill,
  };
}
