// A curl command as the request it would send. It is read and not run: files are not opened, and what
// cannot be taken over is reported.

import { FORM_TYPE, JSON_TYPE } from '../../../../oauth/fields.ts';
import { cmdWords, isForCmd } from './cmd-words.ts';
import { endOfCurl } from './curl-command.ts';
import { isSilent, LONG_NAMES, takesValue } from './curl-options.ts';
import { base64OfText } from '../../../../oauth/base64.ts';
import { EFFECTS, startReading, type Reading } from './curl-effects.ts';
import { posixWords } from './posix-words.ts';
import { changed, missing, Unreadable, type Remark } from './remark.ts';

export interface PastedRequest {
  readonly method: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query, in visible ASCII. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly remarks: readonly Remark[];
}

/** An option with its value, or a word that is none. */
interface Option {
  readonly name: string;
  /** As it was written. */
  readonly option: string;
  readonly value: string;
}

/** Letters run together: `-sSX POST`, `-XPOST`. */
function* shortOptions(word: string, next: () => string): Generator<Option> {
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    const name = LONG_NAMES[letter] ?? letter;
    const option = `-${letter}`;
    if (!takesValue(name)) {
      yield { name, option, value: '' };
      continue;
    }
    yield { name, option, value: at + 1 < word.length ? word.slice(at + 1) : next() };
    return;
  }
}

function* optionsOf(words: readonly string[]): Generator<Option> {
  let at = 0;
  const valueFor = (option: string) => () => {
    at += 1;
    const value = words[at];
    if (value === undefined) throw new Unreadable(`${option} is the last word and has no value.`);
    return value;
  };
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') continue;
    if (word.startsWith('--')) {
      const name = word.slice(2);
      yield { name, option: word, value: takesValue(name) ? valueFor(word)() : '' };
    } else if (word.startsWith('-') && word !== '-') yield* shortOptions(word, valueFor(word));
    else yield { name: 'url', option: word, value: word };
    if (word === '--next' || word === '-:') return;
  }
}

function readOptions(words: readonly string[]): Reading {
  const reading = startReading();
  for (const { name, option, value } of optionsOf(words)) {
    const effect = Object.hasOwn(EFFECTS, name) ? EFFECTS[name] : undefined;
    if (effect !== undefined) effect(reading, value, option);
    else if (!isSilent(name)) {
      reading.remarks.push(missing(`${option} is ignored.`));
    }
  }
  return reading;
}

interface Place {
  readonly origin: string;
  readonly target: string;
  readonly user: string | null;
}

const URL_PARTS = /^(?:([a-z][a-z\d+.-]*):\/\/)?(?:([^/?#@]*)@)?([^/?#]*)([^#]*)/i;

const visible = (text: string): string =>
  text.replace(/[^\x21-\x7e]+/g, (odd) => encodeURIComponent(odd.toWellFormed()));

function placeOf(url: string): Place {
  const [, scheme = 'http', user, host = '', rest = ''] = URL_PARTS.exec(url) ?? [];
  if (!/^https?$/i.test(scheme)) throw new Unreadable(`The URL is neither http nor https: ${url}`);
  const target = rest.startsWith('/') ? rest : `/${rest}`;
  return {
    origin: `${scheme.toLowerCase()}://${host}`,
    target: visible(target),
    user: user ?? null,
  };
}

const joined = (target: string, query: string): string =>
  query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`;

const bodyOf = ({ data, json }: Reading): string => data.join(json ? '' : '&');

function methodOf(reading: Reading): string {
  if (reading.method !== null) return reading.method;
  if (reading.head) return 'HEAD';
  return reading.has_data && !reading.get ? 'POST' : 'GET';
}

/** What curl adds unless told otherwise. */
function headersOf(reading: Reading, user: string | null): [string, string][] {
  const { headers, removed, json, has_data, get } = reading;
  const given = (name: string) =>
    removed.includes(name) || headers.some(([header]) => header.toLowerCase() === name);
  const authorization =
    reading.authorization ?? (user === null ? null : `Basic ${base64OfText(decodeUser(user))}`);
  const type = has_data && !get && !reading.form ? (json ? JSON_TYPE : FORM_TYPE) : null;
  return [
    ...(type === null || given('content-type') ? [] : [['Content-Type', type] as [string, string]]),
    ...(json && !given('accept') ? [['Accept', JSON_TYPE] as [string, string]] : []),
    ...(authorization === null || given('authorization')
      ? []
      : [['Authorization', authorization] as [string, string]]),
    ...headers,
  ];
}

function decodeUser(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}

/** Whether curl would take braces or brackets for several URLs: `{a,b}`, `[1-9]`. */
function isGlob(url: string): boolean {
  let inBraces = false;
  for (const sign of url) {
    if (sign === ',' && inBraces) return true;
    inBraces = sign === '{' || (inBraces && sign !== '}');
  }
  return /\[\w+-\w/.test(url);
}

function requestOf(reading: Reading): PastedRequest {
  const [url, ...more] = reading.urls;
  if (url === undefined) throw new Unreadable('The command has no URL.');
  const { origin, target, user } = placeOf(url);
  const inQuery = [...reading.queries, ...(reading.get ? [bodyOf(reading)] : [])].join('&');
  const remarks = [...reading.remarks];
  if (more.length > 0) remarks.push(missing('Only the first of several URLs is imported.'));
  if (!reading.globoff && isGlob(url)) {
    remarks.push(changed('curl would expand its braces or brackets to several URLs.'));
  }
  return {
    method: methodOf(reading),
    origin,
    target: reading.request_target ?? joined(target, visible(inQuery)),
    headers: headersOf(reading, user),
    body: reading.get ? '' : bodyOf(reading),
    remarks,
  };
}

/** Nobody types a longer one. */
const LONGEST = 1_000_000;

function commandIn(text: string): string {
  if (text.length > LONGEST) {
    throw new Unreadable(`This is longer than ${LONGEST.toLocaleString('en')} characters.`);
  }
  const start = endOfCurl(text);
  if (start < 0) throw new Unreadable('The command must begin with curl.');
  const command = text.slice(start);
  if (/`[ \t]*\r?\n/.test(command)) {
    throw new Unreadable(
      'This command is quoted for PowerShell. Copy it for bash or for cmd instead.',
    );
  }
  return command;
}

/** @throws Unreadable when there is no curl command to be made out */
export function parseCurl(text: string): PastedRequest {
  const command = commandIn(text);
  const { words, remarks } = isForCmd(command) ? cmdWords(command) : posixWords(command);
  const request = requestOf(readOptions(words));
  return { ...request, remarks: [...request.remarks, ...remarks] };
}
