// What the two JavaScript clients have in common.

import { formBody, FORM_TYPE, headerOf, type Fields } from '../../oauth/fields.ts';
import { byLine, js } from './literals.ts';
import type { RequestText } from './snippet.ts';

const pairs = (fields: Fields, indent: string): string =>
  fields.map(([name, value]) => `${indent}[${js(name)}, ${js(value)}],\n`).join('');

/** An object where that says the same: no name twice, and none that an object takes for its own. */
export function headersLiteral(headers: Fields, as: 'object' | 'pairs'): string {
  if (as === 'pairs') return `[\n${pairs(headers, '    ')}  ]`;
  const members = headers.map(([name, value]) => `    ${js(name)}: ${js(value)},\n`);
  return `{\n${members.join('')}  }`;
}

export const fitsObject = (headers: Fields): boolean =>
  new Set(headers.map(([name]) => name.toLowerCase())).size === headers.length &&
  !headers.some(([name]) => name === '__proto__');

export const stringLiteral = (text: string): string => byLine(text, js, ' +\n    ');

/** The form as fields, where URLSearchParams writes it to the same bytes; else null. */
export function formLiteral({ headers, body }: RequestText): string | null {
  const type = headerOf(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase();
  const fields = [...new URLSearchParams(body)];
  if (body === '' || type !== FORM_TYPE || formBody(fields) !== body) return null;
  return `new URLSearchParams([\n${pairs(fields, '    ')}  ])`;
}
