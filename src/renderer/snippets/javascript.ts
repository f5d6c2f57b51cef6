// Writes a request for the JavaScript clients fetch and axios.

import { formBody, FORM_TYPE, headerOf, type Fields } from '../../oauth/fields.ts';
import { byLine, js } from './literals.ts';
import {
  type RequestText,
  commonNotes,
  ownHeaders,
  withoutFalse,
  type Language,
  type Snippet,
  repeatedHeader,
} from './snippet.ts';

const pairs = (fields: Fields, indent: string): string =>
  fields.map(([name, value]) => `${indent}[${js(name)}, ${js(value)}],\n`).join('');

/** The headers as an object, or as pairs when a name repeats or is special in an object. */
function headersLiteral(headers: Fields, as: 'object' | 'pairs'): string {
  if (as === 'pairs') return `[\n${pairs(headers, '    ')}  ]`;
  const members = headers.map(([name, value]) => `    ${js(name)}: ${js(value)},\n`);
  return `{\n${members.join('')}  }`;
}

const fitsObject = (headers: Fields): boolean =>
  new Set(headers.map(([name]) => name.toLowerCase())).size === headers.length &&
  !headers.some(([name]) => name === '__proto__');

const stringLiteral = (text: string): string => byLine(text, js, ' +\n    ');

/** The form as fields if URLSearchParams writes the same bytes; else null. */
function formLiteral({ headers, body }: RequestText): string | null {
  const type = headerOf(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase();
  const fields = [...new URLSearchParams(body)];
  if (body === '' || type !== FORM_TYPE || formBody(fields) !== body) return null;
  return `new URLSearchParams([\n${pairs(fields, '    ')}  ])`;
}

const FORMS = ['POST', 'PUT', 'PATCH'];

/** The headers, with a list of values for each repeated one. */
function headerLines(headers: RequestText['headers']): string[] {
  const names = [...new Set(headers.map(([name]) => name.toLowerCase()))];
  return names.map((lower) => {
    const same = headers.filter(([name]) => name.toLowerCase() === lower);
    const [first] = same;
    const values = same.map(([, value]) => js(value));
    const value = values.length === 1 ? values.join('') : `[${values.join(', ')}]`;
    return `    ${js(first?.[0] ?? lower)}: ${value},\n`;
  });
}

function dataLines(request: RequestText): string[] {
  if (request.body === '') return [];
  const form = formLiteral(request);
  if (form !== null) return [`  data: ${form},`];
  return [
    `  data: ${stringLiteral(request.body)},`,
    '  transformRequest: (data) => data, // as is: axios would serialize JSON again',
  ];
}

function writeAxios(request: RequestText): Snippet {
  const { method, url, body } = request;
  const headers = ownHeaders(request).filter(([name]) => name !== '__proto__');
  // Without a content type axios would declare a form, even when there is no body.
  const typed = headerOf(headers, 'content-type') !== null;
  const untyped = !typed && (body !== '' || FORMS.includes(method));
  const lines = [...headerLines(headers), ...(untyped ? ["    'Content-Type': false,\n"] : [])];
  return {
    text: [
      "import axios from 'axios'",
      '',
      'const response = await axios({',
      `  method: ${js(method)},`,
      `  url: ${js(url)},`,
      ...(lines.length === 0 ? [] : [`  headers: {\n${lines.join('')}  },`]),
      ...dataLines(request),
      '  validateStatus: () => true,',
      '})',
      '',
      'console.log(response.status, response.data)',
    ].join('\n'),
    notes: withoutFalse([
      headers.length < ownHeaders(request).length && 'axios cannot send a header named __proto__.',
      ...commonNotes(request),
    ]),
  };
}

export const axios: Language = {
  id: 'axios',
  name: 'axios',
  about: 'Node, in a module (.mjs); version 1.',
  write: writeAxios,
};

const BODILESS = ['GET', 'HEAD'];
const FORBIDDEN = ['CONNECT', 'TRACE', 'TRACK'];

function bodyLiteral(request: RequestText): string {
  const form = formLiteral(request);
  if (form !== null) return form;
  const text = stringLiteral(request.body);
  // fetch declares a string without a content type text/plain.
  const untyped = headerOf(request.headers, 'content-type') === null;
  return untyped ? `new TextEncoder().encode(${text})` : text;
}

function writeFetch(request: RequestText): Snippet {
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
    notes: withoutFalse([
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
  write: writeFetch,
};
