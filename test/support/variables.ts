// The environment variables of `grantbench serve`, as docs/reference/cli.md names them.

import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('../../docs/reference/cli.md', import.meta.url), 'utf8');

export const SERVE_VARIABLES: ReadonlySet<string> = new Set(page.match(/GRANTBENCH_[A-Z_]+/g));
