// npm runs this before `npm publish`: without a repository, the links and the picture of the README would be broken on
// npm, which resolves them there.

import { readFileSync } from 'node:fs';

const { repository } = JSON.parse(readFileSync('package.json', 'utf8'));
const url = typeof repository === 'string' ? repository : repository?.url;
if (!url) {
  console.error('Set repository in package.json first: npm needs it for the links of the README.');
  process.exitCode = 1;
}
