// Schemas for the members of records.

import { isJsonObject } from '../../json.ts';
import { grouped } from '../../words.ts';
import { jsonBytes } from '../collections/weight.ts';
import { valueWords, z } from './zod.ts';
import { MAX_RECORD_BYTES } from './bounds.ts';
import { REGISTERED_CLAIMS } from './enumerations.ts';
import { absoluteUri, MAX_URI, redirectUriRule, VISIBLE_RULES, VSCHAR } from './redirect-uri.ts';

export const TEN_YEARS = 10 * 365 * 86_400;
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Caches schemas by their arguments: schemas are immutable, and creating one takes time at each start. */
function shared<A extends readonly (string | number)[], S>(make: (...args: A) => S) {
  const made = new Map<string, S>();
  return (...args: A): S => {
    const name = args.join();
    const schema = made.get(name) ?? make(...args);
    made.set(name, schema);
    return schema;
  };
}

/** @param least @param most the bounds as they are displayed */
const integer = (rule: string, min: number, max: number, least: string, most: string) =>
  z
    .int(rule)
    .check(z.minimum(min, `must be at least ${least}`), z.maximum(max, `must be at most ${most}`));

export const seconds = shared((min: number, max: number) =>
  integer('must be a whole number of seconds', min, max, `${min} s`, `${max} s`),
);

export const milliseconds = (min: number, max: number) =>
  integer('must be a whole number of milliseconds', min, max, `${min} ms`, `${max} ms`);

export const bytes = (min: number, max: number, most: string) =>
  integer('must be a whole number of bytes', min, max, `${min} bytes`, most);

const atMost = (max: number) => z.maxLength(max, VISIBLE_RULES.long(max));

/** Limits a list. It has its own message, as that of the list would replace it. */
export const atMostEntries = (max: number) => z.maxLength(max, `must have at most ${max} entries`);

export const visible = shared((max: number) =>
  z
    .string('must be a string')
    .check(z.minLength(1, VISIBLE_RULES.empty), atMost(max), z.regex(VSCHAR, VISIBLE_RULES.ascii)),
);

/** A password that a user types: any characters in one line (RFC 6749 appendix A.16). */
export const passwordSchema = z
  .string('must be a string')
  .check(
    z.minLength(1, 'must not be empty'),
    atMost(500),
    z.regex(/^[^\r\n]*$/, 'must not contain line breaks (RFC 6749 appendix A)'),
  );

export const text = shared((max: number) => z.string('must be a string').check(atMost(max)));

/** The same, or null, which is the default. */
export const orNull = <T extends z.core.SomeType>(schema: T) =>
  z._default(z.nullable(schema), null);

/** Defaults to `{}` with the defaults of its members. */
export const orEmpty = <T extends z.core.SomeType>(schema: T) =>
  z.prefault(schema, {} as z.core.input<T>);

/** An absolute URI without a fragment to which a browser can be redirected (RFC 6749 3.1.2). */
export const redirectUriSchema = visible(MAX_URI).check(
  z.superRefine((value, ctx) => {
    const message = redirectUriRule(value);
    if (message !== null) ctx.addIssue({ code: 'custom', message });
  }),
);

/** A name of an API that is no URI, as RFC 8693 2.1 has it for `audience`. */
const AUDIENCE_NAME = /^[\w.~-]+$/;

/** An absolute URI without a fragment that identifies a resource (RFC 8707 2), or a logical name (RFC 8693 2.1). */
export const audienceUriSchema = visible(MAX_URI).check(
  z.refine(
    (value) =>
      AUDIENCE_NAME.test(value) ||
      (absoluteUri(value) !== null && !value.includes('#') && !/\s/.test(value)),
    'must be an absolute URI without a fragment (RFC 8707 2), or a name of letters, digits or . _ ~ - (RFC 8693 2.1)',
  ),
);

export const scopeTokenSchema = z
  .string('must be a string')
  .check(
    atMost(200),
    z.regex(
      SCOPE_TOKEN,
      'must be a scope-token: visible ASCII without spaces, quotes or backslashes',
    ),
  );

/** Also runs if there are other problems, so that all are reported at once. The record may be incomplete. */
export const ALWAYS = { when: () => true };

const MAX_JSON_DEPTH = 32;

/** Whether a value can be serialized as JSON. Checks only this many levels. */
export function isJson(value: unknown, levels: number): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || levels === 0) return false;
  const plain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return plain && Object.values(value).every((member) => isJson(member, levels - 1));
}

/** Requires that each member is JSON. */
export const withJsonMembers = z.superRefine((members: unknown, ctx) => {
  for (const [name, value] of isJsonObject(members) ? Object.entries(members) : []) {
    if (isJson(value, MAX_JSON_DEPTH)) continue;
    const message = `must be JSON of at most ${MAX_JSON_DEPTH} levels`;
    ctx.addIssue({ code: 'custom', path: [name], message });
  }
}, ALWAYS);

/** JSON members with any names. */
export const jsonMembers = () =>
  z.record(z.string(), z.unknown(), 'must be a JSON object').check(withJsonMembers);

/** Custom claims: JSON members that do not conflict with the claims that the service sets. */
export const claimsSchema = jsonMembers().check(
  z.superRefine((claims, ctx) => {
    for (const name of isJsonObject(claims) ? Object.keys(claims) : []) {
      if (!(REGISTERED_CLAIMS as readonly string[]).includes(name)) continue;
      const message = 'is a claim that the service sets itself; choose another name';
      ctx.addIssue({ code: 'custom', path: [name], message });
    }
  }, ALWAYS),
);

/** Limits the memory of a record. */
export const withinBytes = (most: number) =>
  z.refine(
    (record: unknown) => jsonBytes(record) <= most,
    `must not take more than ${most / 1024} KiB in memory`,
  );

/** Lists of records have limits as well; this limit leaves room for more than one record. */
export const withinSize = withinBytes(MAX_RECORD_BYTES);

const unique = (items: readonly unknown[], ctx: z.core.$RefinementCtx, what: string) => {
  const seen = new Set<unknown>();
  items.forEach((item, index) => {
    if (typeof item === 'string' && seen.has(item)) {
      const without_value = `repeats the ${what}`;
      const message = `${without_value} "${item}"`;
      ctx.addIssue({ code: 'custom', path: [index], message, params: { without_value } });
    }
    seen.add(item);
  });
};

export const uniqueList = <T extends z.ZodMiniType<string>>(item: T, what: string, max: number) =>
  z.array(item, 'must be an array').check(
    atMostEntries(max),
    z.superRefine((items, ctx) => {
      // A list that is too long has only this problem reported.
      if (Array.isArray(items) && items.length <= max) unique(items, ctx, what);
    }, ALWAYS),
  );

/** A value of acr_values, which are separated by spaces (OpenID Connect Core 3.1.2.1). */
export const acrSchema = visible(200).check(
  z.regex(/^[\x21\x23-\x5b\x5d-\x7e]*$/, 'must not contain spaces, quotes or backslashes'),
);

/** An issuer identifier: an http(s) URL without query or fragment (RFC 8414 2); it may end with one slash. */
export const issuerSchema = visible(500).check(
  z.refine((value) => {
    const uri = /^https?:\/\/[^/]/i.test(value) ? absoluteUri(value) : null;
    return (
      uri !== null && !/[?#\s]|\/\/$/.test(value) && uri.username === '' && uri.password === ''
    );
  }, 'must be an http or https URL without query or fragment (RFC 8414 2), with one slash at the end at most'),
);

export const flag = shared(() => z.boolean('must be true or false'));

/** A list of words, or a record with the meaning of each, which forms show. */
type Words<Word extends string> = readonly [Word, ...Word[]] | Readonly<Record<Word, string>>;

const isList = <Word extends string>(words: Words<Word>): words is readonly [Word, ...Word[]] =>
  Array.isArray(words);

function wordOf<Word extends string>(words: Words<Word>, otherwise: string) {
  const all = isList(words) ? words : (Object.keys(words) as [Word, ...Word[]]);
  const schema = z.enum(all, `must be one of ${all.join(', ')}${otherwise}`);
  if (!isList(words)) valueWords.add(schema, { values: words });
  return schema;
}

export const oneOf = <const Word extends string>(words: Words<Word>) => wordOf(words, '');

/** The same, or null for the workspace's value. */
export const oneOfOrNull = <const Word extends string>(words: Words<Word>) =>
  orNull(wordOf(words, ', or null'));

export const whole = shared((min: number, max: number) =>
  integer('must be a whole number', min, max, String(min), grouped(max)),
);
