// Rules for the GitHub workflows that a linter does not check.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '..', '..', '.github', 'workflows');

const workflows = readdirSync(FOLDER).map((name) => ({
  name,
  text: readFileSync(join(FOLDER, name), 'utf8'),
}));

describe.each(workflows)('$name', ({ text }) => {
  it('grants its jobs only the permission to read by default', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n/m);
  });

  it('runs only scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
    const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });
});
