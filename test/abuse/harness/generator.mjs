// Launches attacks at a constant rate, several at a time, each chosen by the seed and its number. Attacks affect each
// other only through the server.

import { setTimeout as sleep } from 'node:timers/promises';
import { createAttack } from './attack.mjs';
import { createRandom } from './random.mjs';

const MOST_AT_ONCE = 64;
const LONGEST_MS = 20_000;

/**
 * @param order `kinds`, `seed`, attacks per second (`rate`), `targets` (each a world and its HTTP client with a
 *   weight), where to count (`figures`) and whom to tell (`report`)
 */
export function createGenerator({ kinds, seed, rate, targets, figures, report }) {
  const underWay = new Map();
  let launched = 0;

  const launch = () => {
    const number = (launched += 1);
    const random = createRandom(seed, number);
    const kind = random.weighted(kinds);
    const { world, http } = random.weighted(targets);
    const attack = createAttack({ number, kind, world, http, random, figures, report });
    const late = setTimeout(attack.end, LONGEST_MS);
    const run = Promise.race([kind.run(attack), sleep(LONGEST_MS, undefined, { ref: false })])
      .catch((error) => report(`the harness failed in ${kind.name}`, [error.stack]))
      .finally(() => {
        clearTimeout(late);
        attack.end();
        attack.dispose();
        underWay.delete(number);
        figures.count(`attack ${kind.name}`);
      });
    underWay.set(number, { attack, run });
  };
  return {
    /** Runs until the signal, then ends pending attacks. */
    run: async (signal) => {
      let due = performance.now();
      while (!signal.aborted) {
        due = Math.max(due + 1000 / rate, performance.now() - 1000);
        await sleep(Math.max(0, due - performance.now()));
        while (underWay.size >= MOST_AT_ONCE && !signal.aborted) {
          await Promise.race([...underWay.values()].map(({ run }) => run));
        }
        if (!signal.aborted) launch();
      }
      for (const { attack } of underWay.values()) attack.end();
      await Promise.all([...underWay.values()].map(({ run }) => run));
    },
    launched: () => launched,
    /** The attacks in progress, to help find the cause of a failure. */
    underWay: () => [...underWay.values()].map(({ attack }) => attack.brief()),
  };
}
