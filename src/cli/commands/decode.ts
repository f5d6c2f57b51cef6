// `grantbench decode`: decodes and explains a token, offline and with this machine's clock.

import type { Command } from 'commander';
import {
  asText,
  explainClaims,
  explainHeader,
  type ClaimContext,
  type ExplainMember,
} from '../../oauth/claims.ts';
import { findingsOn, type Finding } from '../../oauth/findings.ts';
import { jwtOf, readToken, type ReadPart, type ReadToken } from '../../oauth/jwt.ts';
import type { JsonObject } from '../../json.ts';
import { pluralize } from '../../words.ts';
import { CommandError } from '../command-error.ts';
import { paint, print, printJson, readInput, withoutControls } from '../terminal/print.ts';
import { rows } from '../terminal/table.ts';
import { EXIT_CODES, GROUPS } from './command.ts';

type Parts = readonly (readonly [name: string, part: ReadPart])[];

function partsOf(read: ReadToken): Parts {
  switch (read.kind) {
    case 'jws':
      return [
        ['header', read.header],
        ['payload', read.payload],
      ];
    case 'jwe':
      return [['header', read.header]];
    case 'nothing':
    case 'opaque':
    case 'neither':
      return [];
  }
}

/** Returns the problems of the token as a whole, in sentences. */
function problemsOf(read: ReadToken): string[] {
  const inParts = partsOf(read).flatMap(([name, { problems }]) =>
    problems.map((problem) => `The ${name} ${problem}.`),
  );
  switch (read.kind) {
    case 'nothing':
      return ['The token is empty.'];
    case 'opaque':
      return [
        `This is not a JWT: it has no dots. An opaque token (${pluralize(read.length, 'character')}) cannot be decoded. Use introspection at its issuer.`,
      ];
    case 'neither':
      return [
        `This is not a JWT: it has ${read.parts.length} or more parts. A signed JWT has 3 parts, an encrypted JWT has 5.`,
      ];
    case 'jws':
      return read.signature === null
        ? [...inParts, 'The signature is missing: a signed JWT has 3 parts.']
        : inParts;
    case 'jwe':
      return inParts;
  }
}

/** Offline, the issuer and the user are unknown. */
const context = (now: number): ClaimContext => ({
  now,
  issuer: '',
  nameOf: () => null,
  isClient: () => false,
});

function section(title: string, members: JsonObject, explain: ExplainMember): string {
  const lines = Object.entries(members).map(
    ([name, value]) =>
      [
        name,
        asText(value),
        name === 'iss' ? 'Issuer: who issued it' : explain(name, value),
      ] as const,
  );
  return `${paint('bold', title)}\n${rows(lines, '  ')}`;
}

function findingLine({ tone, title, text }: Finding): string {
  return `${paint(tone === 'bad' ? 'red' : 'yellow', title)}: ${withoutControls(text)}`;
}

function findings(read: ReadToken, now: number): Finding[] {
  const jwt = jwtOf(read);
  return jwt === null ? [] : findingsOn(jwt, now, 'this machine’s clock');
}

function sections(read: ReadToken, now: number): string[] {
  const parts: string[] = [];
  if (read.kind === 'jwe') {
    parts.push('This JWT is encrypted (JWE). Only its header can be read without the key.');
  }
  for (const [name, { json, decoded }] of partsOf(read)) {
    if (json !== null) {
      const header = name === 'header';
      const explain = (header ? explainHeader : explainClaims)(json, context(now));
      parts.push(section(header ? 'Header' : 'Claims', json, explain));
    } else if (decoded !== null) {
      parts.push(`${paint('bold', `The ${name} decodes to`)}\n  ${withoutControls(decoded)}`);
    }
  }
  const signature = read.kind === 'jws' ? read.signature : null;
  if (signature)
    parts.push(
      `${paint('bold', 'Signature')}\n  ${pluralize(signature.length, 'character')}; not verified here`,
    );
  return parts;
}

function printAsJson(read: ReadToken, broken: readonly string[], now: number): void {
  const json = (name: string) => partsOf(read).find(([one]) => one === name)?.[1].json ?? null;
  printJson({
    kind: read.kind,
    header: json('header'),
    payload: json('payload'),
    problems: broken,
    findings: findings(read, now).map(({ title, text }) => ({ title, text })),
  });
}

async function decode(
  argument: string,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const text = argument === '-' ? await readInput('the token') : argument;
  const read = readToken(text.trim().replace(/^Bearer\s+/i, ''));
  const now = Date.now();
  const broken = problemsOf(read);
  if (json) printAsJson(read, broken, now);
  else {
    const parts = [...sections(read, now), findings(read, now).map(findingLine).join('\n')];
    const text = parts.filter((part) => part !== '').join('\n\n');
    if (text !== '') print(text);
  }
  if (broken.length > 0) throw new CommandError(2, broken.join('\n'));
}

const HELP = `
Examples:
  grantbench decode eyJhbGciOi…
  grantbench token --json | jq -r .access_token | grantbench decode -
  grantbench decode - --json < token.txt | jq .payload.exp

The token is decoded locally and not sent anywhere. The signature is not verified. A malformed token is decoded as far
as possible, its problems are printed, and the exit code is 2.
${EXIT_CODES}`;

export function declare(program: Command): void {
  program
    .command('decode')
    .helpGroup(GROUPS.tokens)
    .allowExcessArguments(false)
    .description('decode and explain a JWT; needs no instance')
    .argument('<token>', 'the token; - reads it from standard input')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(decode);
}
