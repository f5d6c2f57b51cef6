// One HTTP request to our own token service, sent as its owner wrote it, over TLS where it speaks that.

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
  /** The bytes of the body in base64, in place of the text. */
  readonly body_base64?: string | undefined;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Framing is ours: a length that lies would leave the connection hanging. So is the name of the sender. */
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
 * Our certificate is trusted for what it is, whoever vouches for it and whatever names it has. The rest
 * holds as for any client: its times, and what it may be used for.
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

/**
 * Headers and body of a request that can be sent.
 * @throws ORPCError naming what cannot be sent
 */
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

/**
 * @param extra headers of our own, name and value in turn
 * @throws ORPCError naming what cannot be sent
 */
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
      // A flat list, so that repeated headers go out as they were written.
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

/** Sends it and waits for the whole answer; its exchange number, or null when it names none. */
export async function sendOutgoing({ secure, options, body }: Outgoing, signal: AbortSignal) {
  const send = secure ? (await import('node:https')).request : request;
  return new Promise<number | null>((resolve, reject) => {
    const fail = (error: Error) => {
      reject(conflict(`the token service closed the connection: ${error.message}`));
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
