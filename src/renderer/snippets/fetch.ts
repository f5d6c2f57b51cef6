import { fitsObject, formLiteral, headersLiteral, stringLiteral } from './javascript.ts';
import { js } from './literals.ts';
import { headerOf } from '../../oauth/fields.ts';
import {
  commonNotes,
  ownHeaders,
  repeatedHeader,
  told,
  type Language,
  type RequestText,
  type Snippet,
} from './snippet.ts';

const BODILESS = ['GET', 'HEAD'];
const FORBIDDEN = ['CONNECT', 'TRACE', 'TRACK'];

function bodyLiteral(request: RequestText): string {
  const form = formLiteral(request);
  if (form !== null) return form;
  const text = stringLiteral(request.body);
  // A string without a type would be called text/plain.
  const untyped = headerOf(request.headers, 'content-type') === null;
  return untyped ? `new TextEncoder().encode(${text})` : text;
}

function write(request: RequestText): Snippet {
  const { method, url, body } = request;
  const headers = ownHeaders(request);
  const repeated = repeatedHeader(request);
  const dropped = body !== '' && BODILESS.includes(method);
  const literal = headersLiteral(headers, fitsObject(headers) ? 'object' : 'pairs');
  const options = [
    `  method: ${js(method)},`,
    ...(headers.length === 0 ? [] : [`  headers: ${literal},`]),
    ...(body === '' || dropped ? [] : [`  body: ${bodyLiteral(request)},`]),
  ];
  return {
    text: [
      `const response = await fetch(${js(url)}, {`,
      ...options,
      '})',
      '',
      'console.log(response.status, await response.text())',
    ].join('\n'),
    notes: told([
      dropped && `fetch sends no body with ${method}.`,
      FORBIDDEN.includes(method) && `fetch does not send ${method}.`,
      repeated !== null && `fetch joins the repeated header ${repeated} into one.`,
      ...commonNotes(request),
    ]),
  };
}

export const nodeFetch: Language = {
  id: 'fetch',
  name: 'Node fetch',
  about: 'Node 18 or newer, in a module (.mjs).',
  write,
};
