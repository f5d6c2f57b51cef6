import type { Fields } from '../../oauth/fields.ts';
import { byLine, csharp as literal } from './literals.ts';
import { joinedNote, language } from './snippet.ts';

/** In .NET these headers belong to the content, and the request rejects them. */
const OF_CONTENT = /^(?:content-.*|allow|expires|last-modified)$/i;

const added = (to: string, headers: Fields): string[] =>
  headers.map(
    ([name, value]) => `${to}.TryAddWithoutValidation(${literal(name)}, ${literal(value)});`,
  );

function contentLines(body: string, headers: Fields): string[] {
  if (body === '' && headers.length === 0) return [];
  const text = byLine(body, literal, '\n    + ');
  const bytes = body === '' ? 'Array.Empty<byte>()' : `Encoding.UTF8.GetBytes(\n    ${text})`;
  return [
    `request.Content = new ByteArrayContent(${bytes});`,
    ...added('request.Content.Headers', headers),
  ];
}

export const csharp = language({
  id: 'csharp',
  name: 'C#',
  about: '.NET 6 or newer, as Program.cs of a console project.',
  lines: ({ method, url, headers, body }) => {
    const ofContent = headers.filter(([name]) => OF_CONTENT.test(name));
    const ofRequest = headers.filter(([name]) => !OF_CONTENT.test(name));
    return [
      'using System.Text;',
      '',
      'using var client = new HttpClient();',
      `using var request = new HttpRequestMessage(new HttpMethod(${literal(method)}), ${literal(url)});`,
      ...added('request.Headers', ofRequest),
      ...contentLines(body, ofContent),
      '',
      'using var response = await client.SendAsync(request);',
      'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");',
    ];
  },
  notes: (request) => [joinedNote('HttpClient', request)],
});
