import { sh, shWord } from './literals.ts';
import { command, needsPipe, pipedText } from './curl.ts';
import { headerOf } from '../../oauth/fields.ts';
import { language } from './snippet.ts';

/** Escapes `=` and `@` right after the colon, where they would turn the header into something else. */
const header = (name: string, value: string): string =>
  sh(value === '' ? `${name};` : `${name}:${value.replace(/^[=@]/, '\\$&')}`);

/** HTTPie always reads a backslash before one of its separators as an escape. */
const losesBackslash = (value: string): boolean =>
  [...value.matchAll(/(?<!\\)\\+[:;=@]/g)].some(([found]) => found.length % 2 === 0);

export const httpie = language({
  id: 'httpie',
  name: 'HTTPie',
  about: 'HTTPie 3, for a POSIX shell.',
  lines: ({ method, url, headers, body }) => {
    const untyped = body !== '' && headerOf(headers, 'content-type') === null;
    const pipe = needsPipe(body);
    const parts = [
      `http ${pipe ? '' : '--ignore-stdin '}--path-as-is ${shWord(method)} ${sh(url)}`,
      ...headers.map(([name, value]) => header(name, value)),
      ...(untyped ? [sh('Content-Type:')] : []),
      ...(body === '' || pipe ? [] : [`--raw=${sh(body)}`]),
    ];
    return [pipe ? pipedText(body, parts) : command(parts)];
  },
  notes: ({ headers }) => [
    headers.some(([, value]) => losesBackslash(value)) &&
      'HTTPie drops the backslash before a colon, semicolon, equals sign or at sign in a header.',
  ],
});
