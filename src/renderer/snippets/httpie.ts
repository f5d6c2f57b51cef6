import { sh, shWord } from './literals.ts';
import { command, needsPipe, pipedText } from './curl.ts';
import { headerOf } from '../../oauth/fields.ts';
import {
  commonNotes,
  ownHeaders,
  told,
  type Language,
  type RequestText,
  type Snippet,
} from './snippet.ts';

/** Right after the colon, `=` and `@` would make it something else than a header. */
const header = (name: string, value: string): string =>
  sh(value === '' ? `${name};` : `${name}:${value.replace(/^[=@]/, '\\$&')}`);

/** A backslash before one of HTTPie's separators is taken as an escape, and there is no way around. */
const isEaten = (value: string): boolean =>
  [...value.matchAll(/(?<!\\)\\+[:;=@]/g)].some(([found]) => found.length % 2 === 0);

function write(request: RequestText): Snippet {
  const { method, url, body } = request;
  const headers = ownHeaders(request);
  const untyped = body !== '' && headerOf(headers, 'content-type') === null;
  const pipe = needsPipe(body);
  const parts = [
    `http ${pipe ? '' : '--ignore-stdin '}--path-as-is ${shWord(method)} ${sh(url)}`,
    ...headers.map(([name, value]) => header(name, value)),
    ...(untyped ? [sh('Content-Type:')] : []),
    ...(body === '' || pipe ? [] : [`--raw=${sh(body)}`]),
  ];
  return {
    text: pipe ? pipedText(body, parts) : command(parts),
    notes: told([
      headers.some(([, value]) => isEaten(value)) &&
        'HTTPie drops the backslash before a colon, semicolon, equals sign or at sign in a header.',
      ...commonNotes(request),
    ]),
  };
}

export const httpie: Language = {
  id: 'httpie',
  name: 'HTTPie',
  about: 'HTTPie 3, for a POSIX shell.',
  write,
};
