// Normalizes responses and control views for comparison: omits prose, and replaces values that differ between runs by
// names.

import { unescapeHtml } from '../support/person.ts';
import { isObject } from './compare.ts';
import type { RawAnswer } from './http.ts';
import type { Answer } from './document.ts';
import type { Symbols } from './symbols.ts';

/** Members that contain prose, anywhere in a response. */
const PROSE = new Set([
  'error_description',
  'message',
  'text',
  'rule',
  'section',
  'note',
  'summary',
  'detail',
  'advice',
  'cause',
  'what',
  'comment',
  'description',
  'expected',
  'got',
]);
/** Members that contain measurements. */
const MEASURED = new Set(['duration_ms', 'time', 'wait']);
/** Sizes that depend on the length of prose. */
const SIZES = new Set(['body_bytes', 'bodySize', 'size', 'exchange_bytes']);
const PORTS = new Set(['port', 'free_port']);

const PROSE_PARAMETER = /(error_description(?:=|%3D))("[^"]*"|[^&\s"]*)/g;

function embeddedJson(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface Normaliser {
  readonly value: (value: unknown) => unknown;
  readonly text: (text: string) => string;
  readonly answer: (raw: RawAnswer, only_length?: boolean) => Answer;
}

const ATTRIBUTES = ['action', 'method', 'type', 'name', 'value', 'checked', 'href'];

/** The forms, fields, buttons and links of a page, in order, without its text. */
function pageParts(html: string): string[] {
  return [...html.matchAll(/<(form|input|button|select|option|a|script)\b([^>]*)>/g)].map(
    ([, tag = '', rest = '']) => {
      const given = new Map(
        [...rest.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [
          name,
          unescapeHtml(value),
        ]),
      );
      const reported = ATTRIBUTES.filter((name) => given.has(name)).map((name) => {
        const value = given.get(name) ?? '';
        return value === '' ? name : `${name}=${value}`;
      });
      return [tag, ...reported].join(' ');
    },
  );
}

/** Replaces a Date by the machine clock, which is not compared. */
const isNow = (name: string, date: string) =>
  name === 'date' && Math.abs(Date.parse(date) - Date.now()) < 600_000;

/**
 * Checks that a Content-Length is correct, because the length of prose may change; a response to HEAD has that of
 * the omitted body.
 */
function lengthOf(reported: string, body: Buffer): string {
  if (Number(reported) === body.length) return '<length of the body>';
  return body.length === 0 ? '<length>' : reported;
}

export function createNormaliser(symbols: Symbols): Normaliser {
  const text = (given: string): string => {
    const embedded = embeddedJson(given);
    if (isObject(embedded)) return JSON.stringify(value(embedded));
    return symbols.write(given.replace(PROSE_PARAMETER, '$1<prose>'));
  };
  const member = (name: string, given: unknown): unknown => {
    if (MEASURED.has(name)) return '<measured>';
    if (SIZES.has(name) && typeof given === 'number') return '<size>';
    if (PORTS.has(name) && typeof given === 'number') return '<port>';
    if (PROSE.has(name) && (typeof given === 'string' || given === null)) return undefined;
    if ((name === 'jti' || name === 'sid') && typeof given === 'string') {
      return symbols.writeTokenId(given);
    }
    if (name === 'epoch' && typeof given === 'string') return symbols.nameOf(given, 'epoch');
    if (name === 'credential' && typeof given === 'string') return symbols.nameOf(given, 'digest');
    return value(given);
  };
  const isHeader = (given: readonly unknown[], name: string) =>
    given.length === 2 && String(given[0]).toLowerCase() === name;
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given);
    if (Array.isArray(given)) {
      if (isHeader(given, 'content-length')) return [given[0], '<length>'];
      return given.map(value);
    }
    if (!isObject(given)) return given;
    if (String(given['name']).toLowerCase() === 'content-length') return { name: given['name'] };
    // Sorted, so that the name for a value does not depend on the order of members.
    const members = Object.keys(given)
      .sort()
      .map((name) => [name, member(name, given[name])] as const)
      .filter(([, written]) => written !== undefined);
    return Object.fromEntries(members);
  };

  const headersOf = ({ headers, body }: RawAnswer): Answer['headers'] => {
    const written: Record<string, string | string[]> = {};
    for (let index = 0; index + 1 < headers.length; index += 2) {
      const [name = '', raw = ''] = headers.slice(index, index + 2);
      const lower = name.toLowerCase();
      const plain =
        lower === 'content-length' ? lengthOf(raw, body) : isNow(lower, raw) ? '<now>' : text(raw);
      const before = written[name];
      written[name] = before === undefined ? plain : [before, plain].flat();
    }
    return written;
  };
  const bodyOf = ({ headers, body }: RawAnswer, only_length: boolean): Partial<Answer> => {
    if (only_length) return { length: body.length };
    if (body.length === 0) return {};
    const at = headers.findIndex((name, index) => index % 2 === 0 && /^content-type$/i.test(name));
    const type = headers[at + 1] ?? '';
    const content = body.toString();
    if (type.startsWith('text/html') && content.includes('<!doctype')) {
      return { page: pageParts(content).map(text) };
    }
    const json = embeddedJson(content);
    return json === undefined ? { text: text(content) } : { json: value(json) };
  };
  return {
    value,
    text,
    answer: (raw, only_length = false) => {
      if (raw.status === 0) return { status: 0 };
      const headers = headersOf(raw);
      const cut = raw.cut ? ({ cut: true } as const) : {};
      return {
        status: raw.status,
        ...(headers ? { headers } : {}),
        ...bodyOf(raw, only_length),
        ...cut,
      };
    },
  };
}
