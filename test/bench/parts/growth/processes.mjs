// Servers on one machine under load at the same time, each from its own generator.

import { createKey } from '../../orders.mjs';
import { inTurn, total } from '../../statistics.mjs';
import { growthReport, openProduct, planOf } from './growth.mjs';

/** The sum of their requests. */
function together(measured) {
  const rate = total(measured.map((each) => each.rate));
  return { rate, cost: total(measured.map((each) => each.rate * each.cost)) / rate };
}

export async function processes({ quick }) {
  const { warmUpSeconds, seconds, rounds } = planOf(quick);
  const key = await createKey('ES256');
  const opened = [];
  try {
    while (opened.length < 2) opened.push(await openProduct(key, warmUpSeconds));
    const counts = { '1 process': 1, '2 processes': 2 };
    const measure = (name) =>
      Promise.all(opened.slice(0, counts[name]).map((server) => server.measure(seconds)));
    const measured = await inTurn(Object.keys(counts), rounds, async (name) =>
      together(await measure(name)),
    );
    return growthReport(
      'processes on one machine',
      'Servers under load at the same time; the rate is that of all together.',
      measured,
    );
  } finally {
    await Promise.all(opened.map(({ stop }) => stop()));
  }
}
