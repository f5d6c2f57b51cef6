import { FORM_TYPE, headerOf, type Fields } from '../../oauth/fields.ts';
import { byLine, python as literal } from './literals.ts';
import { joinedNote, language, type RequestText } from './snippet.ts';

const NAMED = ['GET', 'OPTIONS', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Joins repeated headers, since a dict contains a name only once (RFC 9110 5.3). */
function asDict(headers: Fields): string[] {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    const known = [...joined.keys()].find((key) => key.toLowerCase() === name.toLowerCase());
    joined.set(known ?? name, known === undefined ? value : `${joined.get(known) ?? ''}, ${value}`);
  }
  return [...joined].map(([name, value]) => `        ${literal(name)}: ${literal(value)},\n`);
}

/** Encodes a field like urllib.parse.urlencode. */
const quotePlus = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'(*)]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

function dataLiteral({ headers, body }: RequestText): string {
  const type = headerOf(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase();
  const fields = [...new URLSearchParams(body)];
  const written = fields.map((pair) => pair.map(quotePlus).join('=')).join('&');
  if (type === FORM_TYPE && written === body) {
    const pairs = fields.map((pair) => `        (${pair.map(literal).join(', ')}),\n`);
    return `[\n${pairs.join('')}    ]`;
  }
  const lines = byLine(body, literal, '\n        ');
  return lines.includes('\n') ? `(\n        ${lines}\n    ).encode()` : `${lines}.encode()`;
}

export const pythonRequests = language({
  id: 'python',
  name: 'Python',
  about: 'Python 3 with requests (pip install requests).',
  lines: (request) => {
    const { method, url, body } = request;
    const headers = asDict(request.headers);
    const named = NAMED.includes(method);
    return [
      'import requests',
      '',
      named ? `response = requests.${method.toLowerCase()}(` : 'response = requests.request(',
      ...(named ? [] : [`    ${literal(method)},`]),
      `    ${literal(url)},`,
      ...(headers.length === 0 ? [] : [`    headers={\n${headers.join('')}    },`]),
      ...(body === '' ? [] : [`    data=${dataLiteral(request)},`]),
      ')',
      'print(response.status_code, response.text)',
    ];
  },
  notes: (request) => [joinedNote('requests', request)],
});
