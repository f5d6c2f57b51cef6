// The libraries whose settings the page offers, in the order of the list.

import { BROWSER } from './browser.ts';
import { NODE_LIBRARIES, NODE_WEB } from './node.ts';
import { PLAIN } from './plain.ts';
import { SERVERS } from './servers.ts';
import type { Snippet } from './snippet.ts';
import { UNTESTED } from './untested.ts';

export const SNIPPETS: readonly [Snippet, ...Snippet[]] = [
  ...PLAIN,
  ...BROWSER,
  ...NODE_WEB,
  ...NODE_LIBRARIES,
  ...SERVERS,
  ...UNTESTED,
];
