// One document of a provider, by one GET request.

import type { IncomingMessage } from 'node:http';
import { isJsonObject } from '../../core/records/json-object.ts';
import { parseJsonText } from '../../core/records/json-text.ts';
import type { JsonObject } from '../../oauth/json-object.ts';
import { isLoopback } from './addresses.ts';
import { ProviderError } from './provider-error.ts';
import { bodyOf, MAX_ANSWER_BYTES, requestOf, tooLong, type Connecting } from './request.ts';

/** @throws ProviderError for what is no URL of a provider */
export function checkedUrl(text: string): URL {
  if (!URL.canParse(text)) throw new ProviderError(text, 'is not a URL');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new ProviderError(
      `${url.protocol}//${url.host}`,
      'must not have a user name or password',
    );
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    throw new ProviderError(text, 'must begin with https://, or http:// and a loopback address');
  }
  return url;
}

/** The body is not read of a response that is not what was asked for. */
function checkHead(url: URL, { statusCode = 0, headers }: IncomingMessage): void {
  const { location, 'content-length': length, 'content-encoding': encoding = 'identity' } = headers;
  if (statusCode >= 300 && statusCode < 400) {
    const to = location === undefined ? '' : ` to ${location.slice(0, 200)}`;
    throw new ProviderError(url.href, `redirects${to}; redirects are not followed`);
  }
  if (statusCode !== 200) {
    const rule = `answers with status ${statusCode}, not 200`;
    throw new ProviderError(url.href, rule, { status: statusCode });
  }
  if (/\bhtml\b/i.test(headers['content-type'] ?? '')) {
    throw new ProviderError(url.href, 'answers with HTML, not JSON');
  }
  if (encoding !== 'identity') {
    throw new ProviderError(url.href, 'answers with compressed data that was not asked for');
  }
  if (Number(length ?? 0) > MAX_ANSWER_BYTES) throw tooLong(url);
}

async function readText(url: URL, response: IncomingMessage): Promise<string> {
  checkHead(url, response);
  const bytes = await bodyOf(url, response);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ProviderError(url.href, 'answers with text that is not UTF-8', { cause });
  }
}

/** The JSON object at a URL. @throws ProviderError naming the URL and the rule */
export async function getJson(url: URL, connecting: Connecting): Promise<JsonObject> {
  const outgoing = { method: 'GET', headers: { Accept: 'application/json' } };
  const text = await requestOf(url, outgoing, connecting, (response) => readText(url, response));
  if (text.trimStart().startsWith('<')) {
    throw new ProviderError(url.href, 'answers with HTML, not JSON');
  }
  const parsed = parseJsonText(text);
  if ('problems' in parsed) {
    const { path = '', message = '' } = parsed.problems[0] ?? {};
    throw new ProviderError(
      url.href,
      `answers with text of which ${path || 'the whole'} ${message}`,
    );
  }
  if (isJsonObject(parsed.value)) return parsed.value;
  throw new ProviderError(url.href, 'answers with JSON that is not an object');
}
