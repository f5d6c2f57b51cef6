// What Electron's own default app does with `electron <folder>`, for the test runtime.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const argument = process.argv.slice(1).find((arg) => !arg.startsWith('-'));
if (argument === undefined) throw new Error('The test runtime needs the folder of an app.');
const folder = resolve(argument);
const { name, productName, version, main } = JSON.parse(
  readFileSync(join(folder, 'package.json'), 'utf8'),
);
app.setName(productName ?? name);
app.setVersion(version ?? '0.0.0');
app.setAppPath(folder);
// Awaited: a floating import lets the app become ready first, and then a scheme is registered too late.
await import(pathToFileURL(join(folder, main)).href);
