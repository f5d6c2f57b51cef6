// One counter of the throttle: the requests of a credential and address in the current window.

export type CounterKind =
  'code' | 'refresh_token' | 'device_code' | 'subject_token' | 'username' | 'client' | 'unknown';

/** One key's window, and what it has seen over all its windows. Times in milliseconds. */
export interface Counter {
  readonly id: string;
  kind: CounterKind;
  /** Short digest of the credential. */
  readonly credential: string;
  /** The client that presented it last: its limits are the ones to show. */
  client_id: string;
  readonly ip: string;
  used: number;
  opened_at: number;
  allowed: number;
  blocked: number;
  last_seen_at: number;
}

/** Whether the window has ended; one that lies in the future (the clock was set back) has, too. */
export function isOver(counter: Counter, windowSeconds: number, now: number): boolean {
  return now < counter.opened_at || now >= counter.opened_at + windowSeconds * 1000;
}
