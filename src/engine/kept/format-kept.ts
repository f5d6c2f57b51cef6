// Generates the document that parse-kept.ts reads, in parts on demand.

import type { Kept } from './parse-kept.ts';

/** One entry per line, of up to 200,000. */
function* formatList(name: string, items: Iterable<object>): Generator<string> {
  let lead = `,\n  "${name}": [`;
  for (const item of items) {
    yield `${lead}\n    ${JSON.stringify(item)}`;
    lead = ',';
  }
  yield `${lead === ',' ? '' : lead}\n  ]`;
}

export function* formatKept({ version, keys, epochs, denials }: Kept): Generator<string> {
  yield `{\n  "version": ${version}`;
  yield* formatList('keys', keys);
  yield* formatList('epochs', epochs);
  yield* formatList('denials', denials);
  yield '\n}\n';
}
