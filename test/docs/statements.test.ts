// Hand-written statements of the documents about the code: lists and numbers in sentences.

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  IGNORED,
  isAuthorizationParameter,
  PARAMETERS,
} from '../../src/core/authorization/request-parameters.ts';
import { SAVED_BOUNDS, SIGNING_KEY_BOUNDS } from '../../src/core/records/bounds.ts';
import { DENIAL_BOUNDS } from '../../src/core/stores/denials.ts';
import { STORED } from '../../src/core/registry/registration.ts';
import { STORE_LIMITS } from '../../src/core/stores/memory-stores.ts';
import { COUNTER_BOUNDS, NEWEST_BLOCKED } from '../../src/core/throttle/throttle.ts';
import { TEST_TOKEN_BOUNDS } from '../../src/control/schemas/credentials.ts';
import { DEFAULT_CONTROL_PORT, DEFAULT_PORT } from '../../src/cli/commands/serve/options.ts';
import { ADVISORY_BOUNDS } from '../../src/engine/exchanges/advisory-log.ts';
import { MAX_KEYS } from '../../src/engine/signing-keys.ts';
import { KNOWN } from '../../src/library/start.ts';
import { createCapture } from '../../src/server/capture.ts';
import { STALL_MS as BODY_STALL_MS } from '../../src/server/body.ts';
import { fixedRoutes } from '../../src/server/routes.ts';
import { CONNECTION_LIMITS } from '../../src/server/sockets.ts';
import { MIB } from '../support/bounds.ts';
import { createTestService } from '../support/core.ts';
import { DOCUMENTS } from '../support/documents.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');

/** Joins lines, so that a sentence may wrap anywhere. */
const inOneLine = (text: string) => text.replace(/\s+/g, ' ');

function ruleOf(number: string): string {
  const text = read('docs/behaviour.md');
  const begins = text.indexOf(`<a id="${number.replaceAll('.', '-')}">`);
  expect(begins).toBeGreaterThan(0);
  return inOneLine(text.slice(begins).split('\n### ')[0] ?? '');
}

const sectionOf = (file: string, heading: string) =>
  inOneLine(read(file).split(`\n## ${heading}`)[1]?.split('\n## ')[0] ?? '');

function routes() {
  const { service } = createTestService();
  return fixedRoutes({
    service,
    capture: createCapture(
      () => service.settings().capture,
      () => undefined,
    ),
    stopwatch: () => 0,
    ownStates: new Set(),
    version: '0.0.0-test',
    workbenchUrl: () => null,
  });
}

describe('behaviour 7.1: what is served', () => {
  const rule = ruleOf('7.1');
  /** The part of the rule that names the paths for this method. */
  const named = (method: string) => {
    const parts = rule
      .split(/(?=`(?:POST|GET)[` ])/)
      .filter((part) => part.startsWith(`\`${method}`));
    return parts.join(' ');
  };

  test('the rule names every path', () => {
    const missing = [...routes().keys()].filter((path) => !new RegExp(`[\` ]${path}\``).test(rule));
    expect(missing).toEqual([]);
  });

  test('a path that accepts only POST, or only GET, is listed under that method', () => {
    for (const [path, { methods }] of routes()) {
      if (methods.length === 1) expect(named('POST'), path).toContain(path);
      else if (!methods.includes('POST')) expect(named('GET'), path).toContain(path);
    }
  });
});

test('behaviour 7.13: the rule names every endpoint that pages of another origin may read, and every one that they may not', () => {
  const [may = '', never = ''] = ruleOf('7.13').split('never allowed on');
  const wordOf = (path: string) =>
    path.startsWith('/.well-known/')
      ? path.endsWith('jwks.json')
        ? 'keys'
        : 'metadata'
      : (path.split('/').at(-1) ?? '');
  for (const [path, { cors, endpoint }] of routes()) {
    if (cors) expect(may).toContain(wordOf(path));
    else if (endpoint !== null) expect(never).toContain(`\`${path}\``);
  }
});

const number = (value: number) => value.toLocaleString('en');
const KIB = 1024;

/** Sentences, each with its document or its rule of docs/behaviour.md. */
const NUMBERS: readonly (readonly [place: string, sentence: string])[] = [
  ['2.10', `The list holds ${number(DENIAL_BOUNDS.entries)} entries.`],
  ['2.13', `while there are fewer than ${MAX_KEYS}.`],
  ['2.13', `A workspace file has at most ${SIGNING_KEY_BOUNDS.entries};`],
  ['3.8', `a body that stalls for ${BODY_STALL_MS / 1000} s`],
  ['3.8', `headers that take ${CONNECTION_LIMITS.headersTimeout / 1000} s`],
  ['3.8', `headers over ${CONNECTION_LIMITS.maxHeaderSize / KIB} KiB`],
  ['5.5', number(COUNTER_BOUNDS.entries)],
  ['5.11', `newest ${NEWEST_BLOCKED}`],
  [
    '14.4',
    `at most ${TEST_TOKEN_BOUNDS.header.entries} members and ${TEST_TOKEN_BOUNDS.header.bytes / KIB} KiB`,
  ],
  [
    '14.4',
    `the claims ${TEST_TOKEN_BOUNDS.claims.entries} members and ${TEST_TOKEN_BOUNDS.claims.bytes / KIB} KiB`,
  ],
  [
    '16.3',
    `at most ${SAVED_BOUNDS.flows.entries} flows of ${SAVED_BOUNDS.flows.bytes / MIB} MiB and ${SAVED_BOUNDS.requests.entries} requests of ${SAVED_BOUNDS.requests.bytes / MIB} MiB`,
  ],
  [
    'docs/internals/security.md',
    `with generated and imported ones ${MAX_KEYS + SIGNING_KEY_BOUNDS.entries} at most`,
  ],
  [
    'docs/internals/security.md',
    `${DEFAULT_PORT} for the OAuth endpoints, ${DEFAULT_CONTROL_PORT} for the page`,
  ],
  ['docs/guides/throttling.md', `its newest ${NEWEST_BLOCKED} rejected requests`],
  ['docs/guides/throttling.md', `The newest ${number(ADVISORY_BOUNDS.entries)} advisories`],
  ['docs/reference/tokens.md', `[the newest ${number(STORE_LIMITS.access_tokens.entries)}]`],
];

test.each(NUMBERS)('%s states the number in the code: “%s”', (place, sentence) => {
  const text = place.startsWith('docs/') ? inOneLine(read(place)) : ruleOf(place);
  expect(text).toContain(sentence);
});

test('docs/reference/tokens.md names every member of an introspection response', () => {
  const [, members = ''] =
    /interface ActiveToken \{([^]*?)\n\}/.exec(read('src/core/presented/introspection.ts')) ?? [];
  const names = [...members.matchAll(/readonly (\w+)\??:/g)].map(([, name = '']) => name);
  const section = sectionOf('docs/reference/tokens.md', 'Introspection');
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});

test('docs/reference/authorize.md names every authorization request parameter that is read, or ignored and noted', () => {
  const text = read('docs/reference/authorize.md');
  const elsewhere = ['nonce', 'state', 'login_hint'];
  const names = [...PARAMETERS, 'resource', 'dpop_jkt'];
  expect(names.every(isAuthorizationParameter)).toBe(true);
  const missing = [...names, ...IGNORED].filter((name) => !text.includes(`\`${name}\``));
  expect(missing.filter((name) => !elsewhere.includes(name))).toEqual([]);
});

test('docs/reference/clients.md names every member that dynamic registration accepts', () => {
  const section = sectionOf('docs/reference/clients.md', 'Registration over HTTP');
  expect(STORED.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});

test('docs/reference/library.md lists every option', () => {
  const section = sectionOf('docs/reference/library.md', 'Options');
  expect(KNOWN.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});

test('no document installs grantbench from a registry while no release is published', () => {
  expect(read('CHANGELOG.md')).toMatch(/^## .* unreleased$/m);
  const installing = ['README.md', ...DOCUMENTS.map((name) => `docs/${name}`)].filter((file) =>
    /npm i(?:nstall)?(?: --?[\w-]+)* grantbench\b/.test(read(file)),
  );
  expect(installing).toEqual([]);
});

test('each capability that docs/why.md compares names an existing test', () => {
  const [, table = ''] = /## On the wire\n([\s\S]*?)\n## /.exec(read('docs/why.md')) ?? [];
  const rows = table.split('\n').filter((line) => line.includes('| [yes]('));
  const named = rows.map((row) => / \| `([\w/-]+)` \| /.exec(row)?.[1] ?? row);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !existsSync(new URL(`test/${name}.test.ts`, ROOT)))).toEqual([]);
});
