// Reads request bodies within a limit, and parses them so that repeated members and invalid bytes are detected
// (checks 2 and 3 of behaviour 3).

import type { IncomingMessage } from 'node:http';
import { endOfString, isJsonObject } from '../json.ts';
import { OAuthError } from '../core/checks/errors.ts';
import type { TokenRequest } from '../core/model/request.ts';
import { safeParameterName } from '../core/checks/parameters.ts';

/** Reading stops if no data arrives for this long. */
export const STALL_MS = 15_000;

const ABANDONED = Symbol('abandoned');

/** Why reading ended although the connection is still open. */
type AbortReason = 'malformed' | 'slow';

/** Notifies present and future readers of the body that the rest cannot be read. */
export function abandonBody(
  request: IncomingMessage & { [ABANDONED]?: AbortReason },
  why: AbortReason,
): void {
  request[ABANDONED] = why;
  request.emit(ABANDONED, why);
}

export interface ReadBody {
  readonly outcome: 'read' | 'too_large' | 'stalled' | 'cut' | AbortReason;
  readonly body: Buffer;
}

const NO_BYTES = Buffer.alloc(0);

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Reads the body up to the limit in bytes. A larger body is reported immediately, with the bytes read so far; the
 * caller discards the rest.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<ReadBody> {
  if (!hasBody(request)) return { outcome: 'read', body: NO_BYTES };
  // One turn later, the parser has delivered what arrived together with the headers, which is usually the whole body.
  await Promise.resolve();
  const whole = request.readableLength === Number(request.headers['content-length']);
  if (!whole || request.readableLength > limit) return readChunks(request, limit);
  const body = request.read() as Buffer;
  // The end must be read as well; otherwise the parser keeps the request until the next one arrives.
  request.resume();
  return { outcome: 'read', body };
}

function readChunks(
  request: IncomingMessage & { [ABANDONED]?: AbortReason },
  limit: number,
): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: ReadBody['outcome']) => {
      clearTimeout(stall);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      request.off(ABANDONED, settle);
      // A destroyed request may still emit an error after the listeners were removed.
      request.on('error', () => undefined);
      resolve({
        outcome,
        body: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks),
      });
    };
    const onData = (chunk: Buffer) => {
      stall.refresh();
      size += chunk.length;
      chunks.push(size > limit ? chunk.subarray(0, chunk.length - (size - limit)) : chunk);
      if (size > limit) settle('too_large');
    };
    const onEnd = () => {
      settle('read');
    };
    const onClose = () => {
      settle('cut');
    };
    const stall = setTimeout(() => {
      settle('stalled');
    }, STALL_MS);
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
    request.on(ABANDONED, settle);
    if (request[ABANDONED] !== undefined) settle(request[ABANDONED]);
  });
}

/** Reads and discards the rest of a body that is too large, up to 16 MB or 2 s, then closes the connection. */
export function discardRest(request: IncomingMessage): void {
  let left = 16 * 1024 * 1024;
  const cut = setTimeout(() => request.socket.destroy(), 2000);
  request
    .on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) request.socket.destroy();
    })
    .on('close', () => {
      clearTimeout(cut);
    })
    .resume();
}

const MEDIA_TYPES: Readonly<Record<string, 'json' | 'form'>> = {
  'application/json': 'json',
  'application/x-www-form-urlencoded': 'form',
};

/**
 * Returns what the trace may show of a header: only values of the expected form. Any other value may be a misplaced
 * secret.
 */
const shown = (text: string, known: boolean) => (known ? text : 'something else');

const isMediaType = (text: string) =>
  /^(application|audio|font|image|message|model|multipart|text|video)\/[\w.+-]{1,40}$/.test(text);

const ENCODINGS: readonly string[] = ['br', 'compress', 'deflate', 'gzip', 'x-gzip', 'zstd'];

/** The encoding that has this label in the Encoding standard, where `utf8` is one of UTF-8; null for none. */
function encodingOf(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** Check 2. @throws OAuthError `invalid_request` if the content type is not supported */
export function readContentType(headers: IncomingMessage['headers']): 'json' | 'form' {
  const header = headers['content-type'];
  if (header === undefined || header === '') throw new OAuthError('content_type_missing');
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const known = MEDIA_TYPES[type];
  if (known === undefined) {
    throw new OAuthError('content_type_unreadable', {
      expected: Object.keys(MEDIA_TYPES).join(' or '),
      got: shown(type, isMediaType(type)),
    });
  }
  for (const parameter of parameters) {
    const [name, value = ''] = parameter.split('=');
    const charset = value.replaceAll('"', '');
    if (name !== 'charset' || charset === 'utf-8') continue;
    const labelled = encodingOf(charset);
    if (labelled !== 'utf-8') {
      const got = shown(charset, labelled !== null);
      throw new OAuthError('charset_unsupported', { expected: 'utf-8', got });
    }
  }
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    const got = shown(encoding, ENCODINGS.includes(encoding));
    throw new OAuthError('content_encoding_unsupported', { got });
  }
  return known;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws OAuthError `invalid_request` if the bytes are not UTF-8 */
export function decodeUtf8(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new OAuthError('body_not_utf8');
  }
}

/** URLSearchParams would replace escapes that are not UTF-8 with U+FFFD. */
export function hasValidEscapes(text: string): boolean {
  try {
    // A bundler removes a call whose result is unused, and with it the check.
    return decodeURIComponent(text).length > 0;
  } catch {
    return false;
  }
}

export type BodyParameters = Pick<TokenRequest, 'parameters' | 'repeated'>;

const NOTHING: ReadonlySet<string> = new Set();
const RESOURCE: ReadonlySet<string> = new Set(['resource']);

/**
 * Returns the repeated names; only `resource` may be repeated (RFC 8707 2).
 * @throws OAuthError `invalid_request` for any other name
 */
function repeatedNames(names: Iterable<string>): ReadonlySet<string> {
  const seen = new Set<string>();
  let repeated = NOTHING;
  for (const name of names) {
    if (seen.has(name)) {
      if (name !== 'resource') {
        throw new OAuthError('parameter_repeated', { field: safeParameterName(name) });
      }
      repeated = RESOURCE;
    }
    seen.add(name);
  }
  return repeated;
}

function parseForm(text: string): BodyParameters {
  if (text.includes('%') && !hasValidEscapes(text)) throw new OAuthError('body_not_utf8');
  const fields = new URLSearchParams(text);
  const repeated = repeatedNames(fields.keys());
  return { parameters: new Map(fields), repeated };
}

function parseObject(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new OAuthError('json_malformed');
  }
  if (!isJsonObject(value)) throw new OAuthError('json_not_object');
  return value;
}

function parseJson(text: string): BodyParameters {
  const parameters = new Map<string, string>();
  for (const [name, value] of Object.entries(parseObject(text))) {
    if (typeof value !== 'string') {
      throw new OAuthError('value_not_string', { field: safeParameterName(name) });
    }
    if (!name.isWellFormed() || !value.isWellFormed()) throw new OAuthError('body_not_utf8');
    parameters.set(name, value);
  }
  // JSON.parse drops repeated members silently.
  return { parameters, repeated: repeatedNames(memberNames(text)) };
}

/** Returns the names of the direct members of a well-formed object, including repeated ones. */
function* memberNames(text: string): Generator<string> {
  let depth = 0;
  let nameFollows = false;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '"') {
      const end = endOfString(text, at);
      if (nameFollows) yield JSON.parse(text.slice(at, end)) as string;
      nameFollows = false;
      at = end - 1;
    } else if (mark === '{' || mark === '[') {
      depth += 1;
      nameFollows = depth === 1;
    } else if (mark === '}' || mark === ']') {
      depth -= 1;
    } else if (mark === ',') {
      nameFollows = depth === 1;
    }
  }
}

/** Check 3. @throws OAuthError `invalid_request` naming the rule that the body breaks */
export function parseBody(body: Buffer, type: 'json' | 'form'): BodyParameters {
  if (body.length === 0) throw new OAuthError('body_missing');
  const text = decodeUtf8(body);
  return type === 'json' ? parseJson(text) : parseForm(text);
}

/** Returns the names of the parameters in a query string; never throws. */
export function queryNames(query: string): string[] {
  return query === '' ? [] : [...new Set(new URLSearchParams(query).keys())];
}
