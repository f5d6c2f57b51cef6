import { byLine, java as literal } from './literals.ts';
import { headerOf } from '../../oauth/fields.ts';
import {
  commonNotes,
  ownHeaders,
  withoutFalse,
  type Language,
  type RequestText,
  type Snippet,
} from './snippet.ts';

function publisher(body: string): string {
  if (body === '') return 'HttpRequest.BodyPublishers.noBody()';
  const text = byLine(body, literal, '\n                + ');
  return `HttpRequest.BodyPublishers.ofString(\n            ${text})`;
}

function write(request: RequestText): Snippet {
  const { method, url, body } = request;
  const own = ownHeaders(request);
  const headers = own.filter(([name]) => name.toLowerCase() !== 'host');
  const method_and_body = `.method(${literal(method)}, ${publisher(body)})`;
  return {
    text: [
      'import java.net.URI;',
      'import java.net.http.HttpClient;',
      'import java.net.http.HttpRequest;',
      'import java.net.http.HttpResponse;',
      '',
      'class Snippet {',
      '  public static void main(String[] args) throws Exception {',
      `    var request = HttpRequest.newBuilder(URI.create(${literal(url)}))`,
      '        .version(HttpClient.Version.HTTP_1_1)',
      ...headers.map(([name, value]) => `        .header(${literal(name)}, ${literal(value)})`),
      `        ${method_and_body}`,
      '        .build();',
      '    var response = HttpClient.newHttpClient()',
      '        .send(request, HttpResponse.BodyHandlers.ofString());',
      '    System.out.println(response.statusCode() + " " + response.body());',
      '  }',
      '}',
    ].join('\n'),
    notes: withoutFalse([
      headerOf(own, 'host') !== null && 'HttpClient sets Host itself.',
      ...commonNotes(request),
    ]),
  };
}

export const java: Language = {
  id: 'java',
  name: 'Java',
  about: 'Java 11 or newer: java Snippet.java',
  write,
};
