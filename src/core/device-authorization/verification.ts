// The decisions of the verification page (RFC 8628 3.3). The user types the user code, sees what the device requests,
// and approves or denies it. A code in the link is only filled in; the user has to confirm it (5.4).

import { findUser } from '../registry/lists.ts';
import {
  authenticate,
  authenticationOf,
  type AuthenticationShown,
  type Credentials,
} from '../authorization/authentication.ts';
import { type Sessions, signedIn, type Visitor } from '../authorization/sessions.ts';
import { OAuthError } from '../checks/errors.ts';
import { type Evaluation, pass } from '../checks/trace.ts';
import type { Domain } from '../model/domain.ts';
import type { Audience, Client, User } from '../records/schemas.ts';
import { type DeviceAuthorization, deviceState } from './device-authorizations.ts';
import { scopesOf } from '../registry/scopes.ts';
import { LONGEST_USER_CODE, plainUserCode } from './user-code.ts';
import { type Bounds, createBoundedMap } from '../collections/bounded-map.ts';
import { keptText } from '../collections/kept-text.ts';

/** The question that the page shows to the user. */
export interface DeviceQuestion extends AuthenticationShown {
  /** Token of the form for this browser, against cross-site requests. */
  readonly form: string;
  readonly user_code: string;
  readonly client: Client;
  readonly audience: Pick<Audience, 'uri' | 'name'>;
  readonly scopes: readonly string[];
  readonly users: readonly User[];
  /** `sub` of the user to preselect; null for none. */
  readonly suggested: string | null;
}

export interface DeviceFormDecision {
  readonly form: string;
  readonly user_code: string;
  readonly approved: boolean;
  readonly sub: string;
  /** The scopes that the user left selected. */
  readonly scopes: readonly string[];
  readonly credentials: Credentials;
}

export type DeviceVerification = ReturnType<typeof createDeviceVerification>;

/** What the evaluation of every request at the page needs. */
interface VerificationParts {
  readonly domain: Domain;
  readonly sessions: Sessions;
  readonly guesses: GuessLimit;
}

interface Found {
  readonly device: DeviceAuthorization;
  readonly client: Client;
}

/** @throws OAuthError for a wrong code, or after too many wrong codes from this address */
function checkTypedCode(
  { domain, guesses }: VerificationParts,
  typed: string,
  ip: string,
  evaluation: Evaluation,
): DeviceAuthorization {
  if (typed.trim() === '') throw new OAuthError('user_code_missing');
  if (typed.length > LONGEST_USER_CODE) {
    throw new OAuthError('user_code_too_long', { expected: String(LONGEST_USER_CODE) });
  }
  pass(evaluation, 'parameters');
  const now = domain.ports.clock.now();
  const seconds = guesses.secondsLeft(ip, now);
  if (seconds > 0) throw new OAuthError('user_code_guessed', { seconds });
  pass(evaluation, 'throttle');
  const device = domain.devices.findByUserCode(typed);
  if (device === undefined) {
    guesses.count(ip, now);
    throw new OAuthError('user_code_unknown', { got: String(plainUserCode(typed).length) });
  }
  pass(evaluation, 'credential_known');
  return device;
}

/** @throws OAuthError if the device was already approved or denied, or its code has expired */
function checkPending({ domain }: VerificationParts, device: DeviceAuthorization): void {
  const now = domain.ports.clock.now();
  const state = deviceState(device, now);
  if (state === 'pending') return;
  if (state === 'expired') {
    const seconds = Math.floor((now - device.expires_at) / 1000);
    throw new OAuthError('user_code_expired', { seconds });
  }
  const { at = now, exchange = null } = device.decision ?? {};
  const got = device.approval === null ? 'denied' : 'approved';
  throw new OAuthError('user_code_decided', {
    got,
    at,
    ...(exchange === null ? {} : { exchange }),
  });
}

/** @throws OAuthError to be shown on the page */
function checkRequest(
  parts: VerificationParts,
  typed: string,
  ip: string,
  evaluation: Evaluation,
): Found {
  const device = checkTypedCode(parts, typed, ip, evaluation);
  const client = parts.domain.registry.clients.get(device.client_id);
  if (client === undefined) throw new OAuthError('user_code_unknown');
  evaluation.client_id = client.client_id;
  checkPending(parts, device);
  pass(evaluation, 'credential_live');
  return { device, client };
}

/**
 * Returns the token of the form. It is derived from the browser's cookie and the device code, so that neither another
 * site nor another browser can submit the form.
 */
const formOf = ({ ports }: Domain, { device_code }: DeviceAuthorization, { browser }: Visitor) =>
  ports.sha256(`${browser}\n${device_code}`);

function approve(
  { domain, sessions }: VerificationParts,
  { device, client }: Found,
  user: User,
  { form, scopes: ticked, credentials }: DeviceFormDecision,
  visitor: Visitor,
  evaluation: Evaluation,
) {
  const at = domain.ports.clock.now();
  const present = signedIn(domain, sessions, visitor)?.session;
  const how =
    present?.sub === user.sub
      ? 'selected on the page, already signed in'
      : authenticate(user, credentials, domain, form);
  const session = present?.sub === user.sub ? present : sessions.begin(user.sub, present, at);
  const scope = scopesOf(device.scope)
    .filter((one) => ticked.includes(one))
    .join(' ');
  pass(evaluation, 'user', { got: user.sub, note: how });
  pass(evaluation, 'consent', {
    expected: device.scope || 'none',
    got: scope || 'none',
    note: 'approved on the page',
  });
  const decision = { at, on: 'page' as const, exchange: evaluation.exchange };
  domain.devices.decide(device, decision, { sub: user.sub, scope, auth_time: session.auth_time });
  return { approved: true, client, session };
}

function deny({ domain }: VerificationParts, { device, client }: Found, evaluation: Evaluation) {
  const at = domain.ports.clock.now();
  pass(evaluation, 'consent', { got: 'denied', note: 'denied on the page' });
  domain.devices.decide(device, { at, on: 'page', exchange: evaluation.exchange }, null);
  return { approved: false, client, session: null };
}

function questionOf(
  { domain, sessions }: VerificationParts,
  { device, client }: Found,
  visitor: Visitor,
): DeviceQuestion {
  const { registry } = domain;
  const { users } = registry;
  const { audience: uri } = device;
  const present = signedIn(domain, sessions, visitor)?.user;
  const known = present ?? users.first();
  const form = formOf(domain, device, visitor);
  return {
    form,
    ...authenticationOf(domain, form),
    signed_in: present !== undefined,
    user_code: device.user_code,
    client,
    audience: registry.audience(uri) ?? { uri, name: '' },
    scopes: scopesOf(device.scope),
    users: users.list(),
    suggested: known?.sub ?? null,
  };
}

export function createDeviceVerification(domain: Domain, sessions: Sessions) {
  const guesses = createGuessLimit();
  const parts = { domain, sessions, guesses };
  return {
    /** Looks up a typed code. @throws OAuthError to be shown on the page */
    ask: (typed: string, visitor: Visitor, ip: string, evaluation: Evaluation): DeviceQuestion => {
      evaluation.profile = domain.settings().profile;
      const found = checkRequest(parts, typed, ip, evaluation);
      return questionOf(parts, found, visitor);
    },
    /** Evaluates a submitted form. @throws OAuthError to be shown on the page */
    decide: (
      decision: DeviceFormDecision,
      visitor: Visitor,
      ip: string,
      evaluation: Evaluation,
    ) => {
      const { form, user_code, approved, sub } = decision;
      evaluation.profile = domain.settings().profile;
      const found = checkRequest(parts, user_code, ip, evaluation);
      if (form !== formOf(domain, found.device, visitor)) {
        throw new OAuthError('device_form_of_other_browser');
      }
      pass(evaluation, 'form');
      if (!approved) return deny(parts, found, evaluation);
      const user = findUser(sub, domain.registry);
      if (user === undefined) throw new OAuthError('form_user_unknown');
      if (domain.settings().authorize === 'deny') {
        throw new OAuthError('authorization_denied_by_setting');
      }
      return approve(parts, found, user, decision, visitor, evaluation);
    },
    clear: guesses.clear,
  };
}

/** Maximum number of wrong user codes in a window, for each address. */
export const MOST_GUESSES = 10;
export const GUESS_WINDOW_SECONDS = 300;

interface Guesses {
  readonly opened_at: number;
  readonly count: number;
}

/**
 * Counts wrong user codes by address (RFC 8628 5.1). After too many in a window, no code from the address is
 * accepted, not even a correct one, so that guessing does not succeed.
 */
type GuessLimit = ReturnType<typeof createGuessLimit>;

/** The bytes of an address and two numbers. */
const GUESS_BYTES = 250;

/** The address with the oldest wrong code is removed first. */
export const GUESS_BOUNDS = { entries: 1000, bytes: 1000 * GUESS_BYTES } as const;

export function createGuessLimit(bounds: Bounds = GUESS_BOUNDS) {
  const guesses = createBoundedMap<string, Guesses>(bounds, () => GUESS_BYTES);
  const window = GUESS_WINDOW_SECONDS * 1000;
  /** Returns the current window. A window in the future has ended, too: the clock was set back. */
  const open = (ip: string, now: number): Guesses | undefined => {
    const found = guesses.get(ip);
    if (found === undefined) return undefined;
    return now < found.opened_at || now >= found.opened_at + window ? undefined : found;
  };
  return {
    /** Returns the whole seconds until codes from this address are accepted again; 0 if they are. */
    secondsLeft: (ip: string, now: number): number => {
      const { count = 0, opened_at = 0 } = open(ip, now) ?? {};
      return count < MOST_GUESSES ? 0 : Math.ceil((opened_at + window - now) / 1000);
    },
    /** Counts a wrong code. @param now milliseconds of the sandbox clock */
    count: (ip: string, now: number) => {
      const { count, opened_at } = open(ip, now) ?? { count: 0, opened_at: now };
      guesses.set(keptText(ip), { opened_at, count: count + 1 });
    },
    clear: guesses.clear,
    fill: guesses.fill,
  };
}
