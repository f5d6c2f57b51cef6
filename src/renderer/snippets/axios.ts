import { formLiteral, stringLiteral } from './javascript.ts';
import { js } from './literals.ts';
import { headerOf } from '../../oauth/fields.ts';
import {
  commonNotes,
  ownHeaders,
  told,
  type Language,
  type RequestText,
  type Snippet,
} from './snippet.ts';

const FORMS = ['POST', 'PUT', 'PATCH'];

/** Repeated headers as one list each. */
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

function write(request: RequestText): Snippet {
  const { method, url, body } = request;
  const headers = ownHeaders(request).filter(([name]) => name !== '__proto__');
  // With no type of ours, axios would call it a form, even when there is no body.
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
    notes: told([
      headers.length < ownHeaders(request).length && 'axios cannot send a header named __proto__.',
      ...commonNotes(request),
    ]),
  };
}

export const axios: Language = {
  id: 'axios',
  name: 'axios',
  about: 'Node, in a module (.mjs); version 1.',
  write,
};
