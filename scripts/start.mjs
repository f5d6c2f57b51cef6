// `npm start` in a checkout: makes a build, downloads Electron if possible and if there is a display, and runs
// `grantbench` with the given arguments.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale } from './build.mjs';
import { environmentElectron, fetchElectron } from './electron-binary.mjs';
import { ROOT } from './run.mjs';

const cli = join(ROOT, 'out/node/cli.cjs');
const [first = '-'] = process.argv.slice(2);
// A command such as `serve`, and --help, need no window; a workspace file is opened in one.
const opensWindow =
  /^-|\.grantbench\.json$/i.test(first) && !/^(-h|--help|-V|--version)$/.test(first);
const hasDisplay =
  process.platform !== 'linux' || process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'];

if (!(await buildIfStale())) process.exit(1);
if (opensWindow && hasDisplay && environmentElectron() === null) {
  const problem = await fetchElectron();
  if (problem !== null) process.env['GRANTBENCH_NO_ELECTRON'] = problem;
}
// Runs in this process, so that signals and the exit code need not be forwarded.
process.argv[1] = cli;
await import(pathToFileURL(cli).href);
