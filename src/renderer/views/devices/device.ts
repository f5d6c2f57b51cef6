// A device authorization as the table shows it. Pure.

import type { Device } from '../../../control/schemas.ts';
import { countdown } from '../../connection/clock.ts';
import { momentInWords } from '../../../oauth/moments.ts';
import type { Tone } from '../../ui/status.tsx';

export const STATE_TONES: Record<Device['state'], Tone> = {
  pending: 'warn',
  approved: 'ok',
  denied: 'bad',
  redeemed: 'muted',
  expired: 'muted',
};

/** Whether its codes are good. */
export const isOpen = ({ state }: Device): boolean => state === 'pending' || state === 'approved';

/** As it stands now: what was pending or approved when it was loaded may have expired since. */
export function asOf(device: Device, now: number): Device {
  const over = isOpen(device) && Date.parse(device.expires_at) <= now;
  return over ? { ...device, state: 'expired' } : device;
}

/** How long its codes are still good; null once that no longer matters. */
export function lifeInWords(device: Device, now: number): string | null {
  const at = Date.parse(device.expires_at);
  if (device.state === 'expired') return momentInWords(at, now);
  return isOpen(device) ? countdown((at - now) / 1000) : null;
}

/** How often it polled before the decision, and when last. */
export function pollsInWords({ polls, polled_at }: Device, now: number): string {
  const count = polls.toLocaleString('en');
  if (polled_at === null) return count;
  // The page's time is cut to the second and a moment behind.
  return `${count}, last ${momentInWords(Math.min(now, Date.parse(polled_at)), now)}`;
}

const PLACES = {
  page: 'at /device',
  control: 'over the control API',
  setting: 'by the setting authorize',
} as const;

/** Who decided, and where; null while nobody has. */
export function decisionInWords({ sub, decided_on }: Device): string | null {
  if (decided_on === null) return null;
  return sub === null ? PLACES[decided_on] : `as ${sub}, ${PLACES[decided_on]}`;
}
