// The conditions of a measurement: the day, the machine, the load generator and the versions of the peers, without
// host names and paths.

import { readFileSync } from 'node:fs';
import { arch, cpus, totalmem, type, release } from 'node:os';
import { generator } from './load/load.mjs';

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

function versions() {
  const { dependencies } = read('./peers/package.json');
  const { jose } = read('../../package.json').devDependencies;
  return Object.entries({ jose, ...dependencies }).map((pair) => pair.join(' '));
}

/** Lines of the report. */
export const conditions = () => ({
  Date: new Date().toISOString().slice(0, 10),
  Processor: `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores, ${arch()}`,
  Memory: `${(totalmem() / 2 ** 30).toFixed(1)} GiB`,
  System: `${type()} ${release()}`,
  Node: process.version,
  'Load generator': generator,
  'Compared with': versions().join(', '),
});
