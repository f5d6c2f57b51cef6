// Every parser of foreign text, on generated texts and on the stored corpus: it accepts or rejects the text as
// documented, its result is no larger than the input allows, and it agrees with other readers of the same notation.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { decodeJwt as joseClaims, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { jwtOf, readToken } from '../../src/oauth/jwt.ts';
import {
  parseBasic,
  readAuthorization,
} from '../../src/core/client-authentication/authorization-header.ts';
import { basicAuthorization, readBasic } from '../../src/oauth/client-authentication.ts';
import { OAuthError } from '../../src/core/checks/errors.ts';
import { parseJsonText, readPlacedJson } from '../../src/core/records/json-text.ts';
import { pathOf, segmentsOf } from '../../src/core/records/problems.ts';
import { parseBody } from '../../src/server/body.ts';
import { DEMO_WORKSPACE } from '../../src/engine/workspace/demo.ts';
import { checkWorkspaceText } from '../../src/engine/workspace/document.ts';
import { readCookies } from '../../src/server/browser-request.ts';
import { createTestService } from '../support/core.ts';
import { fuzzing } from '../support/fuzz.ts';
import { createWriter, hasRepeat, NAMES, TREE, type Tree } from './support/json-tree.ts';
import { parserOf, PARSERS, readForeign } from './support/parsers.ts';

/** The amount of text in any result. */
function sizeOf(answer: unknown): number {
  const written = JSON.stringify(answer, (_, value: unknown) =>
    value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value,
  ) as string | undefined;
  return written?.length ?? 0;
}

/** Allows a problem with its path and position for every second character, and the summary of an omitted document. */
const mostFor = (text: string) => 200 * text.length + 100_000;

async function expectBounded(name: string, text: string): Promise<void> {
  const answer = await readForeign(parserOf(name), text);
  expect(sizeOf(answer)).toBeLessThan(mostFor(text));
}

/** One small file for each hostile input, by parser; long inputs are described by the part that repeats. */
const CORPUS = join(import.meta.dirname, 'corpus');

interface Whole {
  readonly why: string;
  readonly text: string;
}

interface Repeated {
  readonly why: string;
  readonly opening: string;
  readonly unit: string;
  readonly count: number;
  readonly ending: string;
}

const textOf = (input: Whole | Repeated): string =>
  'text' in input ? input.text : input.opening + input.unit.repeat(input.count) + input.ending;

const kept = readdirSync(CORPUS).flatMap((parser) =>
  readdirSync(join(CORPUS, parser)).map((name) => {
    const text = readFileSync(join(CORPUS, parser, name), 'utf8');
    return {
      parser,
      name: `${parser}/${name}`,
      text: textOf(JSON.parse(text) as Whole | Repeated),
    };
  }),
);

describe('the stored corpus', () => {
  it.for(kept)('$name is accepted or rejected', async ({ parser, text }) => {
    await expectBounded(parser, text);
  });
});

/** Tokens of the notations, from which nearly well-formed texts are generated. */
const WORDS = [
  ...Array.from('"\'`\\/&=;,.:%+-*#?@^$<>()[]{}| \t\n\r\0aé0'),
  'grant_type',
  'client_id',
  'Bearer ',
  'Basic ',
  'charset=',
  'utf-8',
  'curl ',
  '-d ',
  '-H ',
  ...[
    'http://127.0.0.1:80/',
    '[::1]:4',
    '{"a":',
    '"a":1',
    'e30',
    'eyJhbGciOiJub25lIn0',
    '%41',
    '%ff',
  ],
  '{{a}}',
  '${A}',
  '$(b)',
  "$'",
  '\\u0041',
  '\\x41',
  '\ud800',
  '\u2028',
  '\ufeff',
  '🎉',
  '1-2',
  ...['"version":1', '"clients":[', '"steps":[', '"token":{', '__proto__', '-1e5', 'null', 'true'],
];

const hostile = (openings: readonly string[]) =>
  fc
    .tuple(
      fc.constantFrom('', ...openings),
      fc.oneof(
        fc.string({ unit: fc.constantFrom(...WORDS), size: 'medium' }),
        fc.string({ unit: 'binary', size: 'medium' }),
        fc.json({ maxDepth: 4 }),
        fc
          .tuple(fc.constantFrom(...WORDS), fc.nat(3000), fc.constantFrom(...WORDS))
          .map(([unit, count, ending]) => unit.repeat(count) + ending),
      ),
    )
    .map(([opening, text]) => opening + text);

describe('any text', () => {
  it.for(Object.keys(PARSERS))('is accepted or rejected by %s', async (name) => {
    const texts = hostile(parserOf(name).openings);
    await fc.assert(
      fc.asyncProperty(texts, (text) => expectBounded(name, text)),
      fuzzing(60),
    );
  });
});

const reasonOf = (read: () => unknown): string => {
  try {
    read();
    return 'read';
  } catch (error) {
    if (error instanceof OAuthError) return error.reason;
    throw error;
  }
};

const choices = fc.array(fc.nat(1000), { minLength: 1, maxLength: 50 });

it('a form is parsed as URLSearchParams does, unless a name is repeated', () => {
  const name = fc.oneof(
    fc.constantFrom('a', 'b', 'client_id', '', 'é'),
    fc.string({ maxLength: 4 }),
  );
  const fields = fc.array(fc.tuple(name, fc.string({ unit: 'binary', maxLength: 10 })), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(fields, (all) => {
      const text = new URLSearchParams(all).toString();
      const names = all.map(([one]) => one);
      const read = () => parseBody(Buffer.from(text), 'form');
      if (new Set(names).size < names.length) expect(reasonOf(read)).toBe('parameter_repeated');
      else expect([...read().parameters]).toEqual(all);
    }),
    fuzzing(300),
  );
});

/** The expected result for a body, derived from the tree that it was generated from. */
function meaningOf(members: readonly (readonly [string, Tree])[]): string {
  const last = new Map(members);
  const isText = (tree: Tree) => tree.kind === 'scalar' && typeof tree.value === 'string';
  if (![...last.values()].every(isText)) return 'value_not_string';
  return last.size < members.length ? 'parameter_repeated' : 'read';
}

it('repeated members of a JSON body are found after unescaping, whatever their values', () => {
  const text = fc.string({ unit: 'binary', maxLength: 6 });
  const value = fc.oneof(
    { weight: 4, arbitrary: text.map((one): Tree => ({ kind: 'scalar', value: one })) },
    { weight: 1, arbitrary: TREE },
  );
  const members = fc.array(fc.tuple(NAMES, value), { maxLength: 6 });
  fc.assert(
    fc.property(members, choices, (all, drawn) => {
      const body = Buffer.from(createWriter(drawn).write({ kind: 'object', members: all }));
      const meaning = meaningOf(all);
      expect(reasonOf(() => parseBody(body, 'json'))).toBe(meaning);
      if (meaning !== 'read') return;
      const values = all.map(([name, tree]) => [name, tree.kind === 'scalar' ? tree.value : tree]);
      expect([...parseBody(body, 'json').parameters]).toEqual(values);
    }),
    fuzzing(1000),
  );
});

it('JSON text is parsed as JSON.parse does, and rejected where a name is repeated at any depth', () => {
  fc.assert(
    fc.property(TREE, choices, (tree, drawn) => {
      const text = createWriter(drawn).write(tree);
      const parsed = parseJsonText(text);
      if (hasRepeat(tree)) expect(parsed).toHaveProperty('problems');
      else expect(parsed).toEqual({ value: JSON.parse(text) as unknown });
    }),
    fuzzing(1000),
  );
});

type Segments = readonly (string | number)[];

/** Every part of a tree by its path, with the expected beginning of its text. */
function partsOf(tree: Tree, path: Segments = []): [path: Segments, name: string | null][] {
  if (tree.kind === 'scalar') return [];
  if (tree.kind === 'array') {
    return tree.items.flatMap((item, index): [Segments, string | null][] => [
      [[...path, index], null],
      ...partsOf(item, [...path, index]),
    ]);
  }
  return tree.members.flatMap(([name, value]): [Segments, string | null][] => [
    [[...path, name], name],
    ...partsOf(value, [...path, name]),
  ]);
}

it('the position of every member is that of its name', () => {
  fc.assert(
    fc.property(TREE, choices, (tree, drawn) => {
      fc.pre(!hasRepeat(tree));
      const writer = createWriter(drawn);
      const text = writer.write(tree);
      const lines = text.split('\n');
      const { placeOf } = readPlacedJson(text);
      for (const [path, name] of partsOf(tree)) {
        expect(segmentsOf(pathOf(path))).toEqual(path);
        const { line, column } = placeOf(pathOf(path));
        const rest = lines[line - 1]?.slice(column - 1) ?? '';
        const [found = ''] = /^"(?:[^"\\]|\\.)*"/.exec(rest) ?? [];
        if (name === null) expect(rest).toMatch(/^[^\s,:\]}]/);
        else expect(JSON.parse(found)).toBe(name);
      }
    }),
    fuzzing(300),
  );
});

const base64url = (text: string) => Buffer.from(text).toString('base64url');

it('a JWT without problems is parsed as jose does', () => {
  const object = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 4,
  });
  const part = fc.oneof(
    object.map((members) => base64url(JSON.stringify(members))),
    fc.constantFrom('', 'e30', 'e30=', '!', 'W10', 'bnVsbA'),
    fc.base64String({ maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const token = parts.join('.');
      const read = readToken(token);
      const jwt = jwtOf(read);
      const sound = read.kind === 'jws' && [read.header, read.payload].every(isSound);
      if (jwt === null || !sound) return;
      expect(jwt.payload).toEqual(joseClaims(token));
      expect(jwt.header).toEqual(decodeProtectedHeader(token));
    }),
    fuzzing(500),
  );
});

const isSound = ({ problems }: { readonly problems: readonly string[] }) => problems.length === 0;

it('an Authorization header is split into a scheme and the text after its spaces', () => {
  const spaces = fc.integer({ min: 1, max: 3000 }).map((count) => ' '.repeat(count));
  const credentials = fc
    .string({ unit: fc.constantFrom(...Array.from('aB0+/=_-.,"\t ')), maxLength: 20 })
    .map((text) => text.trim());
  const scheme = fc.constantFrom('Bearer', 'bAsIc', 'DPoP', '');
  fc.assert(
    fc.property(scheme, spaces, credentials, fc.nat(3000), (name, between, rest, after) => {
      const header = `${name}${between}${rest}${' '.repeat(after)}`;
      expect(readAuthorization(header)).toEqual({ scheme: name.toLowerCase(), credentials: rest });
    }),
    fuzzing(200),
  );
});

it('HTTP Basic returns the form-encoded id and secret', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 });
  fc.assert(
    fc.property(text, text, (id, secret) => {
      fc.pre(id !== '');
      const credentials = { client_id: id, client_secret: secret };
      const header = basicAuthorization(credentials);
      expect(parseBasic(header)).toEqual({ id, secret });
      expect(readBasic(header)).toEqual(credentials);
    }),
    fuzzing(200),
  );
});

it('the first well-formed session cookie is used', () => {
  const { service } = createTestService();
  const ours = 'grantbench_session_4280';
  const pair = fc.tuple(
    fc.constantFrom(ours, `${ours}x`, 'grantbench_browser_4280', 'a', ''),
    fc.oneof(
      fc.string({ unit: fc.constantFrom('a', '-', '_', '9'), minLength: 43, maxLength: 43 }),
      fc.string({ unit: fc.constantFrom(...Array.from('a-= "%')), maxLength: 50 }),
    ),
  );
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 6 }), (pairs) => {
      const cookie = pairs.map(([name, value]) => `${name}=${value}`).join('; ');
      const read = readCookies({ cookie, host: 'localhost:4280' }, service).visitor.session;
      const texts = pairs
        .filter(([name]) => name === ours)
        .map(([, value]) => value.trimEnd().split('=')[0] ?? '');
      expect(read).toBe(texts.find((value) => /^[\w-]{43}$/.test(value)) ?? null);
    }),
    fuzzing(300),
  );
});

it('a workspace with one part replaced is accepted, or each problem has a position in the text', async () => {
  const text = JSON.stringify(DEMO_WORKSPACE, null, 1);
  const places = [...text.matchAll(/": (?=\S)/g)].map(({ index, 0: { length } }) => index + length);
  await fc.assert(
    fc.asyncProperty(fc.nat(places.length - 1), fc.json({ maxDepth: 2 }), async (index, json) => {
      const at = places[index] ?? 0;
      const rest = text.slice(at);
      const end = at + rest.search(/,?\n/);
      const mutated = text.slice(0, at) + json + text.slice(end);
      const checked = await checkWorkspaceText(mutated);
      const lines = mutated.split('\n');
      for (const { line, column } of 'problems' in checked ? checked.problems : []) {
        expect(line).toBeGreaterThan(0);
        expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1);
      }
    }),
    fuzzing(100),
  );
});
