// Sends an HTTP or HTTPS request to the sandbox exactly as composed.

import { METHODS, request } from 'node:http';
import type { RequestOptions } from 'node:https';
import { SENDER_HEADER } from '../../core/records/enumerations.ts';
import type { Address } from '../parts.ts';
import { conflict, invalidField } from './control-error.ts';

export interface Outgoing {
  readonly secure: boolean;
  readonly options: RequestOptions;
  readonly body: Buffer;
}

export interface RequestText {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  readonly body: string;
  /** The body as base64 bytes, instead of text. */
  readonly body_base64?: string | undefined;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/**
 * Headers that callers cannot set: framing, because a wrong length would block the connection, and the name of the
 * sender.
 */
const OURS = ['transfer-encoding', 'connection', 'upgrade', 'expect', 'trailer', SENDER_HEADER];

function checkHeaders(headers: Headers, bytes: number): void {
  for (const [name, value] of headers) {
    const field = `headers.${name}`;
    if (!TOKEN.test(name)) throw invalidField('headers', `has an invalid name: "${name}"`);
    if (!FIELD_VALUE.test(value))
      throw invalidField(field, 'has characters that a header must not contain');
    if (OURS.includes(name.toLowerCase()))
      throw invalidField(field, 'is set automatically; omit it');
    if (name.toLowerCase() === 'content-length' && value !== String(bytes)) {
      throw invalidField(field, `must be ${bytes}, the length of the body, or be omitted`);
    }
  }
}

/**
 * Trusts the sandbox's certificate regardless of its issuer and names. Validity period and key usage are checked as
 * by any client.
 */
function trusting(cert: string | null): RequestOptions {
  if (cert === null) return {};
  return {
    ca: cert,
    allowPartialTrustChain: true,
    servername: 'localhost',
    checkServerIdentity: () => undefined,
  };
}

type Headers = readonly (readonly [name: string, value: string])[];

/** Returns the headers and body of a valid request. @throws ORPCError naming the invalid part */
export function checkedRequest({ method, path, headers, body: text, body_base64 }: RequestText): {
  readonly headers: Headers;
  readonly body: Buffer;
} {
  if (body_base64 !== undefined && text !== '') {
    throw invalidField('body_base64', 'must not be combined with body: a request has one body');
  }
  const body = body_base64 === undefined ? Buffer.from(text) : Buffer.from(body_base64, 'base64');
  const given = Array.isArray(headers)
    ? (headers as Headers)
    : Object.entries(headers as Readonly<Record<string, string>>);
  if (!METHODS.includes(method) || method === 'CONNECT') {
    throw invalidField('method', 'must be an HTTP method in capitals, and not CONNECT');
  }
  if (!/^\/[\x21-\x7e]*$/.test(path)) {
    throw invalidField(
      'path',
      'must begin with / and contain only visible ASCII; percent-encode other characters',
    );
  }
  checkHeaders(given, body.length);
  return { headers: given, body };
}

/** @param extra additional headers, names and values in turn @throws ORPCError naming the invalid part */
export function createOutgoing(
  text: RequestText,
  { host, port, cert }: Address,
  extra: readonly string[],
): Outgoing {
  const { method, path } = text;
  const { headers: given, body } = checkedRequest(text);
  const has = (wanted: string) => given.some(([name]) => name.toLowerCase() === wanted);
  const bodiless = body.length === 0 && ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method);
  return {
    secure: cert !== null,
    body,
    options: {
      host,
      port,
      ...trusting(cert),
      method,
      path,
      agent: false,
      // A flat list, so that repeated headers are sent as written.
      headers: [
        ...(has('host') ? [] : ['Host', `localhost:${port}`]),
        ...given.flat(),
        ...(has('content-length') || bodiless ? [] : ['Content-Length', String(body.length)]),
        ...extra,
        'Connection',
        'close',
      ],
    },
  };
}

/** Sends the request and waits for the complete response. Returns its exchange number, or null without one. */
export async function sendOutgoing({ secure, options, body }: Outgoing, signal: AbortSignal) {
  const send = secure ? (await import('node:https')).request : request;
  return new Promise<number | null>((resolve, reject) => {
    const fail = (error: Error) => {
      reject(conflict(`the authorization server closed the connection: ${error.message}`));
    };
    const outgoing = send({ ...options, signal }, (answer) => {
      const named = answer.headers['grantbench-exchange'];
      answer.on('error', fail);
      answer.on('end', () => {
        resolve(typeof named === 'string' ? Number(named) : null);
      });
      answer.resume();
    });
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}
