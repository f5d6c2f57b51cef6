// `npm start` in a checkout: a build, an Electron if there is one to be had, then `grantbench` with the
// arguments given here.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale } from './build-if-stale.mjs';
import { environmentElectron, fetchElectron } from './electron-binary.mjs';
import { ROOT } from './run.mjs';

const cli = join(ROOT, 'out/node/cli.cjs');
const [first] = process.argv.slice(2);
// A named command, like `serve`, and --help need no window.
const opensWindow =
  first === undefined || (first.startsWith('-') && !/^(-h|--help|-V|--version)$/.test(first));

if (!buildIfStale()) process.exit(1);
if (opensWindow && environmentElectron() === null) {
  const reason = await fetchElectron();
  if (reason !== null) console.error(reason);
}
// In this process, so that signals and the exit code need nobody to pass them on.
process.argv[1] = cli;
await import(pathToFileURL(cli).href);
