// The body of a control request: JSON, whole, within bounds.

import type { IncomingMessage } from 'node:http';
import { Refusal } from './answers.ts';
import { parseJsonText } from '../../core/records/json-text.ts';
import { sentence } from '../../core/records/problems.ts';

/** A workspace of 10,000 clients fits. */
const MAX_BYTES = 33_554_432;

const badRequest = (message: string, status = 400) =>
  new Refusal(status, { code: 'bad_request', message }, { Connection: 'close' });

/** Not by iteration: leaving a loop over the request would close the connection unanswered. */
function readAll(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BYTES) chunks.push(chunk);
      else reject(badRequest(`the body exceeds ${MAX_BYTES} bytes`, 413));
    });
    request.on('end', () => {
      resolve(Buffer.concat(chunks));
    });
    request.on('error', reject);
  });
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
  if ('value' in parsed) return parsed.value;
  const inside = parsed.problems[0]?.path !== '';
  throw badRequest(`${inside ? 'in the body, ' : 'the body '}${sentence(parsed.problems)}`);
}
