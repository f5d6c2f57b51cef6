// The body of a control request: JSON, whole, within bounds.

import type { IncomingMessage } from 'node:http';
import { Refusal } from './answers.ts';
import { parseJsonText } from './json-text.ts';
import { sentence } from './problems.ts';

/** A workspace of 10,000 clients fits. */
const MAX_BYTES = 33_554_432;

const badRequest = (message: string, status = 400) =>
  new Refusal(status, { code: 'bad_request', message }, { Connection: 'close' });

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw badRequest(`the body exceeds ${MAX_BYTES} bytes`, 413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The value, or undefined for no body. @throws Refusal */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const bytes = await readAll(request);
  if (bytes.length === 0) return undefined;
  const type = request.headers['content-type'] ?? 'application/json';
  if (!/^application\/(json|merge-patch\+json)\s*(;|$)/i.test(type)) {
    throw badRequest('the body must be application/json', 415);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('the body is not UTF-8');
  }
  const parsed = parseJsonText(text);
  if ('problems' in parsed) throw badRequest(`the body ${sentence(parsed.problems)}`);
  return parsed.value;
}
