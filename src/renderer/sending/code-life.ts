// How long a code can still be redeemed, or what has ended it: this page, the app, or someone over the control API.

import { useCallback } from 'react';
import type { Credential } from '../../control/schemas/credentials.ts';
import { countdown } from '../connection/clock.ts';
import { control } from '../connection/control.ts';
import { usePage } from '../connection/state.ts';
import { useLoaded } from '../ui/use-loaded.ts';

interface HeldCode {
  readonly expires_at: string;
  /** A code works once: it is spent after a response with tokens (RFC 6749 4.1.2). */
  readonly spent: boolean;
}

const ENDED = ['redeemed', 'revoked', 'denied', 'expired'] as const;

export type CodeLife =
  | { readonly state: (typeof ENDED)[number] }
  /** `left` counts down: `09:41`. */
  | { readonly state: 'redeemable'; readonly left: string };

/**
 * @param known its state as the service knows it; undefined if that is unknown
 * @param now sandbox time in ms
 */
export function codeLifeOf(
  { expires_at, spent }: HeldCode,
  known: string | undefined,
  now: number,
): CodeLife {
  if (spent) return { state: 'redeemed' };
  const ended = ENDED.find((state) => state === known);
  if (ended !== undefined) return { state: ended };
  const left = (Date.parse(expires_at) - now) / 1000;
  return left > 0 ? { state: 'redeemable', left: countdown(left) } : { state: 'expired' };
}

/** The code as the service knows it, whoever redeems it; undefined if it is unknown. */
export function useCode(code: string | null): Credential | undefined {
  const load = useCallback(
    () => control.tokens.list({ kind: 'code', text: code ?? '', limit: 1, secrets: true }),
    [code],
  );
  const revision = usePage((state) => state.credentials_revision);
  const { known } = useLoaded(code === null || code === '' ? null : load, revision, code);
  return known?.items.find(({ value }) => value === code);
}

/** The state of a device authorization as the service knows it; undefined if it is unknown. */
export function useDeviceState(user_code: string | null): string | undefined {
  const load = useCallback(() => control.devices.get({ id: user_code ?? '' }), [user_code]);
  const revision = usePage((state) => state.devices_revision);
  return useLoaded(user_code === null ? null : load, revision, user_code).known?.state;
}
