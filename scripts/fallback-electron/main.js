// Does for the test runtime what Electron's default app does with `electron <folder>`.

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
// Awaited, because the app must not become ready before it has registered its scheme.
await import(pathToFileURL(join(folder, main)).href);
