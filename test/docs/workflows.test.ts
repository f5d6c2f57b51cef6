// What a linter does not see in the workflows for GitHub.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '..', '..', '.github', 'workflows');

const workflows = readdirSync(FOLDER).map((name) => ({
  name,
  text: readFileSync(join(FOLDER, name), 'utf8'),
}));

describe.each(workflows)('$name', ({ text }) => {
  it('gives its jobs no right that they do not name', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n/m);
  });

  it('runs only scripts that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
    const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });
});
