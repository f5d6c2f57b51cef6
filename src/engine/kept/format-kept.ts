// Writes the document that parse-kept.ts reads, part by part as it is asked for.

import type { Kept } from './parse-kept.ts';

/** An entry a line: there may be 200,000 of them. */
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
