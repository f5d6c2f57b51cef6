// Watches a server from outside and through its preload: it must run, respond, keep its event loop turning and its
// heap within bounds.

import { setTimeout as sleep } from 'node:timers/promises';
import { createHttp } from './http.mjs';

const MIB = 1024 * 1024;
/** The total for everything but live credentials; see docs/internals/security.md. */
const BOUNDS_BYTES = 256 * MIB;
/** The maximum bytes of a live credential. */
const CREDENTIAL_BYTES = 2048;
const LONGEST_DELAY_MS = 1000;
/** Limits in the server's own time for a delay of the event loop and for a response. */
const HANG_MS = 10_000;
const HANG_AT_LAST_MS = 60_000;
const PROBE_EVERY_MS = 500;
const HARNESS_TICK_MS = 100;
const HEAP_EVERY_MS = 15_000;

/** Server output is searched with a delay, because an issued secret becomes known later. */
const SEARCH_AFTER_MS = 2000;

/** The harness shares the cores, so its own delay shows how reliable its figures are. */
export async function watchHarness(maxima, signal) {
  while (!signal.aborted) {
    const begun = performance.now();
    await sleep(HARNESS_TICK_MS);
    const late = performance.now() - begun - HARNESS_TICK_MS;
    maxima.raise('longest delay of the harness itself, ms', late);
  }
}

export function createOutput(world) {
  let lines = [];
  let newest = [];
  const search = async () => {
    const text = lines.join('\n');
    lines = [];
    await world().show('its output', text);
  };
  return {
    line: (line) => {
      lines.push(line);
      newest = [...newest.slice(-20), line];
    },
    newest: () => newest,
    search,
    run: async (signal) => {
      while (!signal.aborted) {
        const taken = lines;
        lines = [];
        await sleep(SEARCH_AFTER_MS);
        await world().show('its output', taken.join('\n'));
      }
    },
  };
}

/** The server's own time since a moment, without waiting for a core. */
function createOwnTime({ waitingTime }) {
  const [begun, waited] = [performance.now(), waitingTime()];
  return () => performance.now() - begun - (waitingTime() - waited);
}

/** A server may be slow under load while its event loop turns, but it must respond in the end. */
async function isOverdue(instance, signal) {
  const sinceAsked = createOwnTime(instance);
  let sinceTurned = createOwnTime(instance);
  const turned = (answer) => {
    if (answer !== null) sinceTurned = createOwnTime(instance);
  };
  while (!signal.aborted && instance.isRunning()) {
    void instance.sign().then(turned);
    if (sinceTurned() > HANG_MS || sinceAsked() > HANG_AT_LAST_MS) return true;
    await sleep(PROBE_EVERY_MS);
  }
  return false;
}

async function probe(instance, http, figures) {
  const begun = performance.now();
  const over = new AbortController();
  const asked = http
    .oauth({ path: '/livez', signal: over.signal })
    // The connection was closed; another check reports whether the server still runs.
    .catch(() => null);
  const overdue = await Promise.race([asked.then(() => false), isOverdue(instance, over.signal)]);
  over.abort();
  if (overdue) return 'hangs';
  figures.raise('longest wait for /livez, ms', performance.now() - begun);
  return instance.isRunning() ? 'answers' : 'ended';
}

/** @returns figures that keep their maximum */
export function createMaxima() {
  const values = new Map();
  return {
    raise: (name, value) => values.set(name, Math.max(values.get(name) ?? 0, value)),
    entries: () => [...values].map(([name, value]) => [name, Math.round(value)]),
  };
}

/**
 * @param parts `world`, `figures` (what was counted), `maxima`, `report`, and `underWay` for the details
 * @param signal ends the watch
 */
export function createWatch({ world, figures, maxima, report, underWay }) {
  const { instance } = world;
  const name = (what) => `${instance.scheme}: ${what}`;
  const http = createHttp(instance, { keepAlive: false });
  const named = { raise: (what, value) => maxima.raise(name(what), value) };
  let baseline = 0;

  const checkHeap = async () => {
    const heap = await instance.heap();
    if (heap === null) return;
    if (baseline === 0) baseline = heap;
    const credentials = figures.get('lineages') * 2 * CREDENTIAL_BYTES;
    named.raise('heap after collection, MiB', heap / MIB);
    if (heap <= baseline + BOUNDS_BYTES + credentials) return;
    report('growth beyond the sum of the bounds', [
      `${instance.scheme} holds ${Math.round(heap / MIB)} MiB; at its start ${Math.round(baseline / MIB)} MiB`,
    ]);
  };
  return {
    /** Reported by the preload as soon as possible. */
    delayed: ({ own, wall }) => {
      named.raise('longest delay of the event loop, ms', own);
      if (own <= LONGEST_DELAY_MS) return;
      report('an event loop stood still for over 1 s', [
        `${instance.scheme}: ${Math.round(own)} ms of its own, ${Math.round(wall)} ms by the clock`,
        ...underWay(),
      ]);
    },
    checkHeap,
    /** Returns the reason why watching ended early; null after the signal. */
    run: async (signal) => {
      let looked = performance.now() - HEAP_EVERY_MS + 2000;
      while (!signal.aborted) {
        const state = await probe(instance, http, named);
        if (state !== 'answers') return state;
        if (performance.now() - looked > HEAP_EVERY_MS) {
          looked = performance.now();
          await checkHeap();
          const delay = await instance.delay();
          if (delay !== null) named.raise('longest delay of the event loop, ms', delay.own);
        }
        await sleep(PROBE_EVERY_MS);
      }
      return null;
    },
  };
}
