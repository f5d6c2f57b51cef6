// The sandbox clock, which the page advances between two updates, and times in words.

import { useSyncExternalStore } from 'react';
import { calendarDay, clockInWords } from '../../oauth/moments.ts';
import { durationInWords } from '../../words.ts';
import { page, type TickingClock } from './state.ts';

const TICK_MS = 250;
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const MINUTES_PER_HOUR = HOUR / MINUTE;

/** Sandbox time in ms at the machine time given. */
export function sandboxTime(clock: TickingClock, machine_ms: number): number {
  const reported = Date.parse(clock.now);
  return clock.frozen ? reported : reported + (machine_ms - clock.received_ms);
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => listeners.forEach((listener) => listener()), TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Sandbox time in ms, cut to whole seconds, so that a tick within the same second renders nothing. */
export function sandboxNow(): number {
  const { clock } = page.getState();
  const now = clock === null ? Date.now() : sandboxTime(clock, Date.now());
  return Math.floor(now / 1000) * 1000;
}

/** The ticking sandbox time in ms, cut to whole seconds. Countdowns use it. */
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

/** How far the sandbox clock is from the machine's: `1 min ahead`, `2 d behind`; null if they agree. */
export function offsetInWords(seconds: number): string | null {
  if (Math.abs(seconds) < 1) return null;
  return `${durationInWords(Math.abs(seconds))} ${seconds < 0 ? 'behind' : 'ahead'}`;
}

/** The same in relation to another clock: `1 min ahead of machine time`. */
export function offsetFrom(clock: string, seconds: number): string | null {
  const words = offsetInWords(seconds);
  return words && `${words}${seconds < 0 ? '' : ' of'} ${clock}`;
}

/** An RFC 3339 instant in UTC, as causes carry them. */
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z/g;

/** The local time zone, as its offset from UTC at that time: `UTC+1`. */
export function zoneName(ms: number): string {
  const ahead = -new Date(ms).getTimezoneOffset();
  if (ahead === 0) return 'UTC';
  const minutes = Math.abs(ahead) % MINUTES_PER_HOUR;
  const hours = Math.floor(Math.abs(ahead) / MINUTES_PER_HOUR);
  return `UTC${ahead < 0 ? '-' : '+'}${hours}${minutes === 0 ? '' : `:${two(minutes)}`}`;
}

/** A date and time, in the local time zone: `22 Nov 2026, 10:02:40 UTC+1`. */
export function fullMoment(ms: number): string {
  return `${calendarDay(new Date(ms))}, ${timeOfDay(ms)} ${zoneName(ms)}`;
}

/** The same in UTC, without the date if that is the same: `09:02:40 UTC`; null if the local time zone is UTC. */
export function utcTime(ms: number): string | null {
  const date = new Date(ms);
  if (date.getTimezoneOffset() === 0) return null;
  const time = `${date.toISOString().slice(11, 19)} UTC`;
  const shifted = new Date(ms + date.getTimezoneOffset() * MINUTE * 1000);
  return date.getDate() === date.getUTCDate() ? time : `${calendarDay(shifted)}, ${time}`;
}

/** A date and time, local and in UTC: `22 Nov 2026, 10:02:40 UTC+1 (09:02:40 UTC)`. */
export function momentInZones(ms: number): string {
  const utc = utcTime(ms);
  return utc === null ? fullMoment(ms) : `${fullMoment(ms)} (${utc})`;
}

/** A date and time as it is typed, in the local time zone: `2026-11-22 10:02:40`. */
export function typedMoment(ms: number): string {
  const date = new Date(ms);
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

/** Parses a typed date and time, with or without seconds; null if it is not valid. */
export function readMoment(text: string): number | null {
  const found = /^(\d{4})-(\d\d?)-(\d\d?)[ T]+(\d\d?):(\d\d)(?::(\d\d))?$/.exec(text.trim());
  if (found === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 59) return null;
  const date = new Date(year, month - 1, day, hour, minute, second);
  return date.getMonth() === month - 1 && date.getDate() === day ? date.getTime() : null;
}

/** Replaces each instant in a text with the local time of day, and with its date if that differs. */
export const withLocalTimes = (text: string): string =>
  text.replace(INSTANT, (instant) => clockInWords(Date.parse(instant), sandboxNow()));

/** Splits a text at its instants, which have the odd indices. */
export const splitAtInstants = (text: string): string[] =>
  text.split(new RegExp(`(${INSTANT.source})`));

/** The time of day, `10:02:40`. */
export const timeOfDay = (ms: number): string => new Date(ms).toLocaleTimeString('en-GB');
