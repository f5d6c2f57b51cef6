// Writes a request for the JavaScript clients fetch and axios.

import { formBody, FORM_TYPE, headerOf, type Fields } from '../../oauth/fields.ts';
import { byLine, js } from './literals.ts';
import { joinedNote, language, type RequestText } from './snippet.ts';

const pairs = (fields: Fields): string =>
  fields.map(([name, value]) => `    [${js(name)}, ${js(value)}],\n`).join('');

const isProto = ([name]: Fields[number]): boolean => name === '__proto__';

const fitsObject = (headers: Fields): boolean =>
  new Set(headers.map(([name]) => name.toLowerCase())).size === headers.length &&
  !headers.some(isProto);

/** The headers as an object, or as pairs when a name repeats or is special in an object. */
function headersLiteral(headers: Fields): string {
  if (!fitsObject(headers)) return `[\n${pairs(headers)}  ]`;
  const members = headers.map(([name, value]) => `    ${js(name)}: ${js(value)},\n`);
  return `{\n${members.join('')}  }`;
}

const stringLiteral = (text: string): string => byLine(text, js, ' +\n    ');

/** The form as fields if URLSearchParams writes the same bytes; else null. */
function formLiteral({ headers, body }: RequestText): string | null {
  const type = headerOf(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase();
  const fields = [...new URLSearchParams(body)];
  if (body === '' || type !== FORM_TYPE || formBody(fields) !== body) return null;
  return `new URLSearchParams([\n${pairs(fields)}  ])`;
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

export const axios = language({
  id: 'axios',
  name: 'axios',
  about: 'Node, in a module (.mjs); version 1.',
  lines: (request) => {
    const { method, url, body } = request;
    const headers = request.headers.filter((header) => !isProto(header));
    // Without a content type axios would declare a form, even when there is no body.
    const typed = headerOf(headers, 'content-type') !== null;
    const untyped = !typed && (body !== '' || FORMS.includes(method));
    const lines = [...headerLines(headers), ...(untyped ? ["    'Content-Type': false,\n"] : [])];
    return [
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
    ];
  },
  notes: ({ headers }) => [headers.some(isProto) && 'axios cannot send a header named __proto__.'],
});

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

const isDropped = ({ method, body }: RequestText): boolean =>
  body !== '' && BODILESS.includes(method);

export const nodeFetch = language({
  id: 'fetch',
  name: 'Node fetch',
  about: 'Node 18 or newer, in a module (.mjs).',
  lines: (request) => {
    const { method, url, headers, body } = request;
    return [
      `const response = await fetch(${js(url)}, {`,
      `  method: ${js(method)},`,
      ...(headers.length === 0 ? [] : [`  headers: ${headersLiteral(headers)},`]),
      ...(body === '' || isDropped(request) ? [] : [`  body: ${bodyLiteral(request)},`]),
      '})',
      '',
      'console.log(response.status, await response.text())',
    ];
  },
  notes: (request) => [
    isDropped(request) && `fetch sends no body with ${request.method}.`,
    FORBIDDEN.includes(request.method) && `fetch does not send ${request.method}.`,
    joinedNote('fetch', request),
  ],
});
