// Load on one token endpoint, by wrk where it is installed, else by autocannon.

import { installedAutocannon, loadByAutocannon } from './autocannon.mjs';
import { installedWrk, loadByWrk } from './wrk.mjs';

const wrk = installedWrk();
const generate = wrk ? loadByWrk : loadByAutocannon;

export const generator = wrk ?? installedAutocannon;

function checkAllOk(url, { answers, errors, rejected }) {
  const problems = Object.entries(rejected).map(([status, count]) => `${count} x ${status}`);
  if (errors > 0) problems.push(`${errors} connection errors or time-outs`);
  if (problems.length > 0)
    throw new Error(`${url}: answers that are not 200: ${problems.join(', ')}`);
  if (answers === 0) throw new Error(`${url}: no answers`);
}

/**
 * Posts the form `bodies` in turn for whole `seconds` over as many `connections`. Answers with the number of
 * `answers` and the `seconds` that they took. Throws on any answer that is not 200.
 */
export async function load(url, bodies, options) {
  const result = await generate(url, bodies, options);
  checkAllOk(url, result);
  return result;
}
