// The documents of docs/, by their relative path.

import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';

const DOCS = new URL('../../docs/', import.meta.url);

/** `behaviour.md`, `guides/https.md`, `internals/security.md`. */
export const DOCUMENTS: readonly string[] = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
  .map((name) => name.split(sep).join('/'))
  .filter((name) => name.endsWith('.md'))
  .toSorted();

/** The documents in Help, without internals. */
export const HELP_DOCUMENTS = DOCUMENTS.filter((name) => !name.startsWith('internals/'));

export const readDocument = (name: string): string => readFileSync(new URL(name, DOCS), 'utf8');
