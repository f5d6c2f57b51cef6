// The sandbox clock as the page ticks it on between two messages, and times in words.

import { useSyncExternalStore } from 'react';
import { page, type TickingClock } from './state.ts';

const TICK_MS = 250;
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Sandbox time in ms at the machine time given. */
export function sandboxTime(clock: TickingClock, machine_ms: number): number {
  const told = Date.parse(clock.now);
  return clock.frozen ? told : told + (machine_ms - clock.received_ms);
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => listeners.forEach((tell) => tell()), TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Sandbox time in ms, cut to whole seconds: a tick within the same second renders nothing. */
export function sandboxNow(): number {
  const { clock } = page.getState();
  const now = clock === null ? Date.now() : sandboxTime(clock, Date.now());
  return Math.floor(now / 1000) * 1000;
}

/** Sandbox time in ms, cut to the second and ticking: what countdowns are measured against. */
export const useSandboxNow = (): number => useSyncExternalStore(subscribe, sandboxNow);

const two = (value: number) => String(value).padStart(2, '0');

/** A remaining time: `09:41`, `1:02:07`, `3 d 04:00`. */
export function countdown(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds));
  const clock = `${two(Math.floor((left % HOUR) / MINUTE))}:${two(left % MINUTE)}`;
  if (left < HOUR) return clock;
  if (left < DAY) return `${Math.floor(left / HOUR)}:${clock}`;
  return `${Math.floor(left / DAY)} d ${two(Math.floor((left % DAY) / HOUR))}:${two(Math.floor((left % HOUR) / MINUTE))}`;
}

const UNITS: readonly (readonly [number, string])[] = [
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
  [1, 'second'],
];

/** A duration in words, in its two largest units: `1 day`, `1 hour 30 minutes`. */
export function durationWords(seconds: number): string {
  let left = Math.floor(Math.abs(seconds));
  const parts: string[] = [];
  for (const [size, name] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`);
  }
  return parts.slice(0, 2).join(' ') || '0 seconds';
}

/** The time of day, `10:02:40`. */
export const timeOfDay = (ms: number): string => new Date(ms).toLocaleTimeString('en-GB');
