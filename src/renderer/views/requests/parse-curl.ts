// Parses a curl command into the request that it would send. It is not run and opens no files. An option that is not in
// the tables rejects the command, since only they say whether a value follows an option.

import { FORM_TYPE, headerOf, JSON_TYPE } from '../../../oauth/fields.ts';
import { base64OfText } from '../../../oauth/base64.ts';
import {
  changed,
  cmdWords,
  isForCmd,
  missing,
  posixWords,
  type Remark,
  Unreadable,
} from './shell-words.ts';

type Header = [name: string, value: string];

export interface PastedRequest {
  readonly method: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query, in visible ASCII. */
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: string;
  readonly remarks: readonly Remark[];
}

const startReading = () => ({
  method: null as string | null,
  urls: [] as string[],
  headers: [] as Header[],
  /** Default headers of curl that the command removes. */
  removed: [] as string[],
  /** The parts of the body; null for a command without one. */
  data: null as string[] | null,
  json: false,
  get: false,
  head: false,
  globoff: false,
  authorization: null as string | null,
  request_target: null as string | null,
  remarks: [] as Remark[],
});

/** The effects of the options that were read so far. */
type Reading = ReturnType<typeof startReading>;

type Effect = (reading: Reading, value: string, option: string) => void;

const omit = (reading: Reading, option: string, value: string, why: string) =>
  reading.remarks.push(missing(`${option} ${value} ${why}`));

const READS_FILE = 'reads a file, which this page cannot do; it was omitted.';

/** @param encode null for `@file` */
const addData =
  (encode: (value: string) => string | null): Effect =>
  (reading, value, option) => {
    reading.data ??= [];
    const encoded = encode(value);
    if (encoded === null) omit(reading, option, value, READS_FILE);
    else reading.data.push(encoded);
  };

const addText = addData((value) => (value.startsWith('@') ? null : value));

/** Encodes like --data-urlencode, with a plus sign for a space. */
const percentEncode = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'(*)]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

/** `content`, `=content`, `name=content`, `@file`, `name@file`. */
function urlEncoded(value: string): string | null {
  const [, name = '', sign, content = ''] = /^([^=@]*)([=@])([\s\S]*)$/.exec(value) ?? [];
  if (sign === '@') return null;
  if (sign === undefined) return percentEncode(value);
  return name === '' ? percentEncode(content) : `${name}=${percentEncode(content)}`;
}

const addHeader: Effect = (reading, value, option) => {
  const [, name = '', sign = '', rest = ''] = /^([^:;]*)([:;]?)([\s\S]*)$/.exec(value) ?? [];
  const content = rest.trim();
  if (value.startsWith('@')) omit(reading, option, value, READS_FILE);
  else if (sign === ':' && content === '') reading.removed.push(name.trim().toLowerCase());
  else if (sign === ':' || (sign === ';' && content === '')) {
    reading.headers.push([name.trim(), content]);
  } else omit(reading, option, value, 'is not a header, and was omitted.');
};

const addUser: Effect = (reading, value) => {
  reading.authorization = `Basic ${base64OfText(value.includes(':') ? value : `${value}:`)}`;
  if (!value.includes(':')) {
    reading.remarks.push(missing('-u has no password; curl would ask for one.'));
  }
};

const nothing: Effect = () => undefined;

type Options = readonly (readonly [spellings: readonly string[], Effect])[];

const WITH_VALUE: Options = [
  [['--url'], (reading, url) => reading.urls.push(url)],
  [['-X', '--request'], (reading, method) => (reading.method = method)],
  [['--request-target'], (reading, target) => (reading.request_target = target)],
  [['-H', '--header'], addHeader],
  [['-d', '--data', '--data-ascii', '--data-binary'], addText],
  [['--data-raw'], addData((value) => value)],
  [['--data-urlencode'], addData(urlEncoded)],
  [
    ['--json'],
    (reading, value, option) => {
      reading.json = true;
      addText(reading, value, option);
    },
  ],
  [['-u', '--user'], addUser],
  [['--oauth2-bearer'], (reading, token) => (reading.authorization = `Bearer ${token}`)],
  [['-A', '--user-agent'], (reading, value) => reading.headers.push(['User-Agent', value])],
  [['-e', '--referer'], (reading, value) => reading.headers.push(['Referer', value])],
  [
    ['-b', '--cookie'],
    (reading, value, option) => {
      if (value.includes('=')) reading.headers.push(['Cookie', value]);
      else omit(reading, option, value, READS_FILE);
    },
  ],
  [
    ['-F', '--form', '--form-string'],
    (_reading, _value, option) => {
      throw new Unreadable(
        `${option} sends multipart/form-data, which no endpoint here accepts. Use -d or --data-urlencode.`,
      );
    },
  ],
  [['-o', '--output', '-w', '--write-out', '-D', '--dump-header'], nothing],
  [['-c', '--cookie-jar', '--cacert', '--retry'], nothing],
  [['-m', '--max-time', '--connect-timeout', '--max-redirs'], nothing],
];

const FLAGS: Options = [
  [['-G', '--get'], (reading) => (reading.get = true)],
  [['-I', '--head'], (reading) => (reading.head = true)],
  [['-g', '--globoff'], (reading) => (reading.globoff = true)],
  [
    ['-L', '--location'],
    (reading, _value, option) =>
      reading.remarks.push(
        missing(`${option} follows redirects; here the first response is shown.`),
      ),
  ],
  [['-i', '--include', '-v', '--verbose', '-s', '--silent', '-S', '--show-error'], nothing],
  [['-f', '--fail', '--fail-with-body', '-N', '--no-buffer'], nothing],
  [['-#', '--progress-bar', '--no-progress-meter'], nothing],
  [['-k', '--insecure', '-4', '--ipv4', '-6', '--ipv6', '--http1.1', '--http2'], nothing],
  [['--basic', '--compressed', '--path-as-is'], nothing],
];

const bySpelling = (options: Options): ReadonlyMap<string, Effect> =>
  new Map(
    options.flatMap(([spellings, effect]) =>
      spellings.map((spelling): [string, Effect] => [spelling, effect]),
    ),
  );

const VALUED = bySpelling(WITH_VALUE);
const UNVALUED = bySpelling(FLAGS);

function readOptions(words: readonly string[]): Reading {
  const reading = startReading();
  const rest = words[Symbol.iterator]();
  const valueOf = (option: string): string => {
    const { done, value } = rest.next();
    if (done === true) throw new Unreadable(`${option} is the last word and has no value.`);
    return value;
  };
  /** Carries out an option; `attached` follows a short one in the same word. Returns what remains of that. */
  const carryOut = (option: string, attached: string): string => {
    const valued = VALUED.get(option);
    if (valued !== undefined) {
      valued(reading, attached === '' ? valueOf(option) : attached, option);
      return '';
    }
    const flag = UNVALUED.get(option);
    if (flag === undefined) {
      throw new Unreadable(
        `${option} cannot be imported. Remove it from the command, with its value if it has one.`,
      );
    }
    flag(reading, '', option);
    return attached;
  };
  for (const word of rest) {
    if (word.startsWith('--')) {
      if (word !== '--') carryOut(word, '');
    } else if (word.startsWith('-') && word !== '-') {
      // Combined short options: `-sSX POST`, `-XPOST`.
      let letters = word.slice(1);
      while (letters !== '') letters = carryOut(`-${letters.charAt(0)}`, letters.slice(1));
    } else reading.urls.push(word);
  }
  return reading;
}

const URL_PARTS = /^(?:([a-z][a-z\d+.-]*):\/\/)?(?:([^/?#@]*)@)?([^/?#]*)([^#]*)/i;

const visible = (text: string): string =>
  text.replace(/[^\x21-\x7e]+/g, (odd) => encodeURIComponent(odd.toWellFormed()));

function decodeUser(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}

function placeOf(url: string): { origin: string; target: string; user: string | null } {
  const [, scheme = 'http', user, host = '', rest = ''] = URL_PARTS.exec(url) ?? [];
  if (!/^https?$/i.test(scheme)) throw new Unreadable(`The URL is neither http nor https: ${url}`);
  return {
    origin: `${scheme.toLowerCase()}://${host}`,
    target: visible(rest.startsWith('/') ? rest : `/${rest}`),
    user: user === undefined ? null : decodeUser(user),
  };
}

/** What curl would expand to several URLs: `{a,b}`, `[1-9]`. */
const GLOB = /\{[^{},]*,|\[\w+-\w/;

/** The headers, including those that curl adds by default. */
function headersOf(reading: Reading, user: string | null): Header[] {
  const { headers, removed, json, data, get } = reading;
  const basic = user === null ? null : `Basic ${base64OfText(user)}`;
  const usual: [string, string | null][] = [
    ['Content-Type', data === null || get ? null : json ? JSON_TYPE : FORM_TYPE],
    ['Accept', json ? JSON_TYPE : null],
    ['Authorization', reading.authorization ?? basic],
  ];
  const added = usual.filter(
    (header): header is Header =>
      header[1] !== null &&
      !removed.includes(header[0].toLowerCase()) &&
      headerOf(headers, header[0].toLowerCase()) === null,
  );
  return [...added, ...headers];
}

function requestOf(reading: Reading): PastedRequest {
  const { get, head, data, json, request_target, remarks } = reading;
  const [url, ...more] = reading.urls;
  if (url === undefined) throw new Unreadable('The command has no URL.');
  if (more.length > 0) remarks.push(missing('Only the first of several URLs is imported.'));
  if (!reading.globoff && GLOB.test(url)) {
    remarks.push(changed('curl would expand its braces or brackets to several URLs.'));
  }
  const { origin, target, user } = placeOf(url);
  const text = (data ?? []).join(json ? '' : '&');
  const query = get && text !== '' ? `${target.includes('?') ? '&' : '?'}${visible(text)}` : '';
  return {
    method: reading.method ?? (head ? 'HEAD' : data === null || get ? 'GET' : 'POST'),
    origin,
    target: request_target ?? `${target}${query}`,
    headers: headersOf(reading, user),
    body: get ? '' : text,
    remarks,
  };
}

/** A real command is never longer. */
const LONGEST = 1_000_000;

/** `curl`, `curl.exe`: at the start of a line, else after a prompt, a path, variables or another command. */
const PROGRAMS = [/^[ \t]*curl(?:\.exe)?(?=\s|$)/im, /[\s$%>#/\\]curl(?:\.exe)?(?=\s|$)/i];

/** @throws Unreadable when the text contains no curl command, or one that cannot be imported */
export function parseCurl(text: string): PastedRequest {
  if (text.length > LONGEST) {
    throw new Unreadable(`This is longer than ${LONGEST.toLocaleString('en')} characters.`);
  }
  const program = PROGRAMS.map((pattern) => pattern.exec(text)).find((found) => found !== null);
  if (!program) throw new Unreadable('The command must begin with curl.');
  const command = text.slice(program.index + program[0].length);
  if (/`[ \t]*\r?\n/.test(command)) {
    throw new Unreadable(
      'This command is quoted for PowerShell. Copy it for bash or for cmd instead.',
    );
  }
  const { words, remarks } = isForCmd(command) ? cmdWords(command) : posixWords(command);
  const request = requestOf(readOptions(words));
  return { ...request, remarks: [...request.remarks, ...remarks] };
}
