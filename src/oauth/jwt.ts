// Decodes a token without a key: its parts, their content and their problems. Signs a JWS with a given key. Nothing
// here sends anything.

import { decodeBase64url, encodeBase64url, utf8 } from './base64.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { grouped } from '../words.ts';

export interface DecodedJwt {
  parts: readonly [header: string, payload: string, signature: string];
  header: JsonObject;
  payload: JsonObject;
}

/** One part of a token between its dots. */
export interface ReadPart {
  /** The part as it is in the token. */
  readonly text: string;
  /** null if it is not a JSON object. */
  readonly json: JsonObject | null;
  /** The decoded text, if it is not a JSON object. */
  readonly decoded: string | null;
  /** The problems, as phrases that follow "The header", such as "is not JSON". */
  readonly problems: readonly string[];
}

/** The kinds of text, by the number of parts between dots (RFC 7515 3.1, RFC 7516 3.1). */
export type ReadToken =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'opaque'; readonly length: number }
  | {
      readonly kind: 'jws';
      readonly header: ReadPart;
      readonly payload: ReadPart;
      /** null if the text ends before it. */
      readonly signature: string | null;
    }
  | { readonly kind: 'jwe'; readonly header: ReadPart; readonly parts: readonly string[] }
  | { readonly kind: 'neither'; readonly parts: readonly string[] };

/** What a value is that is no object. */
const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return `a ${typeof value}`;
};

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function readPart(text: string): ReadPart {
  const part = { text, json: null, decoded: null };
  if (text === '') return { ...part, problems: ['is empty'] };
  const { bytes, problems } = decodeBase64url(text);
  if (bytes === null) return { ...part, problems };
  const decoded = textOf(bytes);
  if (decoded === null) {
    const count = `${grouped(bytes.length)} bytes`;
    return { ...part, problems: [...problems, `decodes to ${count} that are not UTF-8 text`] };
  }
  try {
    const value: unknown = JSON.parse(decoded);
    if (isJsonObject(value)) return { ...part, json: value, problems };
    return { ...part, decoded, problems: [...problems, `is ${kindOf(value)}, not a JSON object`] };
  } catch {
    return { ...part, decoded, problems: [...problems, 'is not JSON'] };
  }
}

/** Limits the split: further dots make no difference, and a long run of them would take long. */
const MOST_PARTS = 8;

export function readToken(token: string): ReadToken {
  if (token === '') return { kind: 'nothing' };
  const parts = token.split('.', MOST_PARTS);
  const [header = '', payload = '', signature = null] = parts;
  if (parts.length === 1) return { kind: 'opaque', length: token.length };
  if (parts.length === 5) return { kind: 'jwe', header: readPart(header), parts };
  if (parts.length > 3) return { kind: 'neither', parts };
  return { kind: 'jws', header: readPart(header), payload: readPart(payload), signature };
}

/** Returns the token of a decoded text; null if it is not a JWT without problems. */
export function jwtOf(read: ReadToken): DecodedJwt | null {
  if (read.kind !== 'jws' || read.signature === null) return null;
  const { header, payload, signature } = read;
  if (header.json === null || payload.json === null) return null;
  return {
    parts: [header.text, payload.text, signature],
    header: header.json,
    payload: payload.json,
  };
}

/** Returns null for anything else than a compact JWS (RFC 7515 3.1) with JSON inside, such as an opaque token. */
export function decodeJwt(token: string): DecodedJwt | null {
  const read = readToken(token);
  const sound = read.kind === 'jws' && [read.header, read.payload].every(isSound);
  return sound ? jwtOf(read) : null;
}

const isSound = ({ problems }: ReadPart): boolean => problems.length === 0;

/** The signing function is passed in, so that the private key is not exposed. */
export interface JwsKey {
  /** Returns the signature in the form for a JWS (RFC 7518 3). */
  readonly sign: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;
}

const encodeJson = (value: JsonObject): string => encodeBase64url(utf8(JSON.stringify(value)));

/** Returns the members of a header or of claims with some replaced; null omits a member. */
export function withOwn(members: JsonObject, own: JsonObject = {}): JsonObject {
  const merged = Object.entries({ ...members, ...own });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}

/**
 * Signs a compact JWS (RFC 7515 3.1): a DPoP proof or an assertion. With the alg none, the signature is empty (RFC
 * 7515 A.5).
 */
export async function signJws(
  { sign }: JwsKey,
  header: JsonObject,
  payload: JsonObject,
): Promise<string> {
  const signed = `${encodeJson(header)}.${encodeJson(payload)}`;
  if (header['alg'] === 'none') return `${signed}.`;
  return `${signed}.${encodeBase64url(await sign(utf8(signed)))}`;
}
