import { byLine, java as literal } from './literals.ts';
import { headerOf } from '../../oauth/fields.ts';
import { language } from './snippet.ts';

function publisher(body: string): string {
  if (body === '') return 'HttpRequest.BodyPublishers.noBody()';
  const text = byLine(body, literal, '\n                + ');
  return `HttpRequest.BodyPublishers.ofString(\n            ${text})`;
}

export const java = language({
  id: 'java',
  name: 'Java',
  about: 'Java 11 or newer: java Snippet.java',
  lines: ({ method, url, headers, body }) => {
    const sent = headers.filter(([name]) => name.toLowerCase() !== 'host');
    return [
      'import java.net.URI;',
      'import java.net.http.HttpClient;',
      'import java.net.http.HttpRequest;',
      'import java.net.http.HttpResponse;',
      '',
      'class Snippet {',
      '  public static void main(String[] args) throws Exception {',
      `    var request = HttpRequest.newBuilder(URI.create(${literal(url)}))`,
      '        .version(HttpClient.Version.HTTP_1_1)',
      ...sent.map(([name, value]) => `        .header(${literal(name)}, ${literal(value)})`),
      `        .method(${literal(method)}, ${publisher(body)})`,
      '        .build();',
      '    var response = HttpClient.newHttpClient()',
      '        .send(request, HttpResponse.BodyHandlers.ofString());',
      '    System.out.println(response.statusCode() + " " + response.body());',
      '  }',
      '}',
    ];
  },
  notes: ({ headers }) => [headerOf(headers, 'host') !== null && 'HttpClient sets Host itself.'],
});
