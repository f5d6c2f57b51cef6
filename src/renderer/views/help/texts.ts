// The documents' texts, by their path in docs/. They are loaded when a document is first read or searched.

import type { Texts } from './documents.ts';

const FOLDER = /^.*?\/docs\//;

const files: Readonly<Record<string, string>> = import.meta.glob(
  ['../../../../docs/**/*.md', '!../../../../docs/internals/**'],
  { query: '?raw', import: 'default', eager: true },
);

export const TEXTS: Texts = new Map(
  Object.entries(files).map(([path, text]) => [path.replace(FOLDER, ''), text]),
);
