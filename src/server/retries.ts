// Which requests repeat a failed one (behaviour 3.13). Only failed requests are remembered, by a digest of what they
// asked for; while there are none, requests take no extra time.

import { createHash } from 'node:crypto';
import { createBoundedMap } from '../core/collections/bounded-map.ts';
import { readAuthorization } from '../core/client-authentication/authorization-header.ts';
import type { Fault } from '../core/records/schemas.ts';
import { fieldsIn, type Fields } from './claimed-client.ts';
import { headerIn } from './sender.ts';

/** A digest and a record of two numbers. */
const FAILED_BYTES = 240;

/** The failed requests that are remembered; the oldest are forgotten. */
export const RETRY_BOUNDS = { entries: 1000, bytes: 1000 * FAILED_BYTES } as const;

/** A request that was answered, or was not. Times are those of the stopwatch, in ms. */
interface Attempt {
  readonly number: number;
  readonly started: number;
  readonly duration_ms: number;
  readonly method: string;
  readonly target: string;
  readonly ip: string;
  readonly sent_by: string;
  /** Names and values in turn. */
  readonly request_headers: readonly string[];
  readonly request_body: Buffer;
  /** 0 if no response was sent. */
  readonly status: number;
  readonly error: string | null;
  readonly fault: Fault | null;
}

/** A failed request that was no retry itself. */
interface FirstTry {
  readonly number: number;
  /** The stopwatch time at which it was answered. */
  readonly ended: number;
}

/** Answers to a poll for tokens that is repeated as it should be (RFC 8628 3.5). */
const POLLED = ['authorization_pending', 'slow_down'];
/** Effects that leave the response as it is, but late. */
const LATE = ['truth', 'dribble'];

function hasFailed({ status, error, fault }: Attempt): boolean {
  if (fault !== null && !LATE.includes(fault.effect.kind)) return true;
  return status === 0 || (status >= 400 && !POLLED.includes(error ?? ''));
}

/** What throttling counts by as well (behaviour 5.1). */
const VALUES = ['code', 'refresh_token', 'device_code', 'subject_token', 'username'];

/** Returns what the request presents: a credential or a username, or only its client; null without any of these. */
function presentedIn(attempt: Attempt, field: Fields): string | null {
  const grant = field('grant_type');
  if (grant !== null) {
    const name = VALUES.find((one) => field(one) !== null);
    return JSON.stringify([grant, name, name === undefined ? null : field(name)]);
  }
  const token = field('token') ?? field('access_token');
  if (token !== null) return token;
  const { scheme, credentials } = readAuthorization(
    headerIn(attempt.request_headers, 'authorization'),
  );
  return scheme === 'bearer' || scheme === 'dpop' ? credentials : null;
}

/** Equal for a request and its retry; null for a request that presents nothing to recognize it by. */
function digestOf(attempt: Attempt, client_id: string | null): string | null {
  const presented = presentedIn(attempt, fieldsIn(attempt.request_body));
  if (presented === null) return null;
  const { sent_by, ip, method, target } = attempt;
  const [path] = target.split('?', 1);
  const what = JSON.stringify([sent_by, ip, method, path, client_id, presented]);
  return createHash('sha256').update(what).digest('base64');
}

export function createRetries() {
  const failed = createBoundedMap<string, FirstTry>(RETRY_BOUNDS, () => FAILED_BYTES);
  return {
    /** Returns the number of the first try that the attempt repeats, or null; remembers the attempt if it failed. */
    of: (attempt: Attempt, client_id: string | null): number | null => {
      const fails = hasFailed(attempt);
      if (!fails && failed.fill.size === 0) return null;
      const digest = digestOf(attempt, client_id);
      if (digest === null) return null;
      const { number, started, duration_ms } = attempt;
      const before = failed.get(digest);
      // A request that was sent before the first try was answered is no reaction to it.
      const retried = before !== undefined && started >= before.ended ? before : null;
      failed.delete(digest);
      if (fails) failed.set(digest, before ?? { number, ended: started + duration_ms });
      return retried?.number ?? null;
    },
    clear: failed.clear,
  };
}
