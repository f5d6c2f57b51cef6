import type { Fields } from '../../oauth/fields.ts';
import { byLine, go as literal } from './literals.ts';
import { language } from './snippet.ts';

const CHECK = ['\tif err != nil {', '\t\tpanic(err)', '\t}'];

const headerLines = (headers: Fields): string[] =>
  headers.map(([name, value]) =>
    name.toLowerCase() === 'host'
      ? `\trequest.Host = ${literal(value)}`
      : `\trequest.Header.Add(${literal(name)}, ${literal(value)})`,
  );

function reader(body: string): string {
  if (body === '') return 'nil';
  const text = byLine(body, literal, ' +\n\t\t');
  return text.includes('\n') ? `strings.NewReader(\n\t\t${text})` : `strings.NewReader(${text})`;
}

export const go = language({
  id: 'go',
  name: 'Go',
  about: 'Go 1.16 or newer: go run main.go',
  lines: ({ method, url, headers, body }) => [
    'package main',
    '',
    'import (',
    '\t"fmt"',
    '\t"io"',
    '\t"net/http"',
    ...(body === '' ? [] : ['\t"strings"']),
    ')',
    '',
    'func main() {',
    `\trequest, err := http.NewRequest(${literal(method)}, ${literal(url)}, ${reader(body)})`,
    ...CHECK,
    ...headerLines(headers),
    '\tresponse, err := http.DefaultClient.Do(request)',
    ...CHECK,
    '\tdefer response.Body.Close()',
    '\tbody, err := io.ReadAll(response.Body)',
    ...CHECK,
    '\tfmt.Println(response.StatusCode, string(body))',
    '}',
  ],
});
