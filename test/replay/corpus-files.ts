// The files of the corpus: one for each session, the keys of the sandboxes, and documents that an earlier build wrote.
// Each of the deepest levels takes one line, so that differences are readable.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { JWK } from 'jose';
import type { RecordedSession, Session } from './document.ts';

const CORPUS = new URL('corpus/', import.meta.url);

export interface Keys {
  readonly signing: Readonly<Record<string, JWK>>;
  readonly tls: { readonly cert: string; readonly key: string };
}

/** The remains of a session: its files as text, its variables and its time. */
export interface FoundDocument {
  readonly now: number;
  readonly workspace: string;
  readonly keep: string;
  readonly variables: Readonly<Record<string, string>>;
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(new URL(path, CORPUS), 'utf8')) as T;
}

/** Levels with one member per line: steps, their outcomes, and the members of a response. */
const OPENED = 5;
const WIDTH = 110;

function layOut(value: unknown, level = 0): string {
  const flat = JSON.stringify(value);
  if (level >= OPENED || flat.length <= WIDTH || typeof value !== 'object' || value === null) {
    return flat;
  }
  const [inner, outer] = [' '.repeat(level + 1), ' '.repeat(level)];
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => `${inner}${layOut(item, level + 1)}`);
    return `[\n${items.join(',\n')}\n${outer}]`;
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${inner}${JSON.stringify(name)}: ${layOut(member, level + 1)}`,
  );
  return `{\n${members.join(',\n')}\n${outer}}`;
}

async function writeJson(path: string, value: unknown): Promise<void> {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  await writeFile(new URL(path, CORPUS), `${layOut(plain)}\n`);
}

export const readKeys = () => readJson<Keys>('documents/keys.json');
export const readDocument = (name: string) => readJson<FoundDocument>(`documents/${name}.json`);
export const writeDocument = (name: string, document: FoundDocument) =>
  writeJson(`documents/${name}.json`, document);

export const scenariosFolder = fileURLToPath(new URL('documents/scenarios/', CORPUS));

export async function sessionNames(): Promise<string[]> {
  const files = await readdir(new URL('sessions/', CORPUS));
  return files.map((file) => file.replace(/\.json$/, '')).sort();
}

export const readSession = (name: string) => readJson<RecordedSession>(`sessions/${name}.json`);

/** What a session does, without its results. */
export function stepsOf({ title, sandbox, steps }: RecordedSession): Session {
  return { title, sandbox, steps: steps.map(({ outcome: _, ...step }) => step) };
}

/** Replaces all stored sessions. */
export async function writeSessions(sessions: ReadonlyMap<string, RecordedSession>): Promise<void> {
  await rm(new URL('sessions/', CORPUS), { recursive: true, force: true });
  await mkdir(new URL('sessions/', CORPUS), { recursive: true });
  for (const [name, session] of sessions) await writeJson(`sessions/${name}.json`, session);
}
