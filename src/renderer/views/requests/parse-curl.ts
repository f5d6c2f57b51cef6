// Parses a curl command into the request that it would send. It is not run and opens no files; what cannot be imported is
// reported.

import { FORM_TYPE, JSON_TYPE } from '../../../oauth/fields.ts';
import {
  changed,
  cmdWords,
  isForCmd,
  missing,
  posixWords,
  type Remark,
  Unreadable,
} from './shell-words.ts';
import { base64OfText } from '../../../oauth/base64.ts';

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

/** An option with its value. A word that is not an option is a URL. */
interface Option {
  readonly name: string;
  readonly option: string;
  readonly value: string;
}

/** Combined short options: `-sSX POST`, `-XPOST`. */
function* shortOptions(word: string, next: () => string): Generator<Option> {
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    const name = LONG_NAMES[letter] ?? letter;
    const option = `-${letter}`;
    if (!WITH_VALUE.has(name)) {
      yield { name, option, value: '' };
      continue;
    }
    yield { name, option, value: at + 1 < word.length ? word.slice(at + 1) : next() };
    return;
  }
}

function* optionsOf(words: readonly string[]): Generator<Option> {
  let at = 0;
  const valueFor = (option: string) => () => {
    at += 1;
    const value = words[at];
    if (value === undefined) throw new Unreadable(`${option} is the last word and has no value.`);
    return value;
  };
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') continue;
    if (word.startsWith('--')) {
      const name = word.slice(2);
      yield { name, option: word, value: WITH_VALUE.has(name) ? valueFor(word)() : '' };
    } else if (word.startsWith('-') && word !== '-') yield* shortOptions(word, valueFor(word));
    else yield { name: 'url', option: word, value: word };
    if (word === '--next' || word === '-:') return;
  }
}

function readOptions(words: readonly string[]): Reading {
  const reading = startReading();
  for (const { name, option, value } of optionsOf(words)) {
    const effect = Object.hasOwn(EFFECTS, name) ? EFFECTS[name] : undefined;
    if (effect !== undefined) effect(reading, value, option);
    else if (!SILENT.has(name)) reading.remarks.push(missing(`${option} is ignored.`));
  }
  return reading;
}

interface Place {
  readonly origin: string;
  readonly target: string;
  readonly user: string | null;
}

const URL_PARTS = /^(?:([a-z][a-z\d+.-]*):\/\/)?(?:([^/?#@]*)@)?([^/?#]*)([^#]*)/i;

const visible = (text: string): string =>
  text.replace(/[^\x21-\x7e]+/g, (odd) => encodeURIComponent(odd.toWellFormed()));

function placeOf(url: string): Place {
  const [, scheme = 'http', user, host = '', rest = ''] = URL_PARTS.exec(url) ?? [];
  if (!/^https?$/i.test(scheme)) throw new Unreadable(`The URL is neither http nor https: ${url}`);
  const target = rest.startsWith('/') ? rest : `/${rest}`;
  return {
    origin: `${scheme.toLowerCase()}://${host}`,
    target: visible(target),
    user: user ?? null,
  };
}

const joined = (target: string, query: string): string =>
  query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`;

const bodyOf = ({ data, json }: Reading): string => data.join(json ? '' : '&');

function methodOf(reading: Reading): string {
  if (reading.method !== null) return reading.method;
  if (reading.head) return 'HEAD';
  return reading.has_data && !reading.get ? 'POST' : 'GET';
}

/** The headers, including those that curl adds by default. */
function headersOf(reading: Reading, user: string | null): Header[] {
  const { headers, removed, json, has_data, get } = reading;
  const authorization =
    reading.authorization ?? (user === null ? null : `Basic ${base64OfText(decodeUser(user))}`);
  const type = has_data && !get && !reading.form ? (json ? JSON_TYPE : FORM_TYPE) : null;
  const usual: [string, string | null][] = [
    ['Content-Type', type],
    ['Accept', json ? JSON_TYPE : null],
    ['Authorization', authorization],
  ];
  const given = new Set([...removed, ...headers.map(([name]) => name.toLowerCase())]);
  const added = usual.filter(
    (header): header is Header => header[1] !== null && !given.has(header[0].toLowerCase()),
  );
  return [...added, ...headers];
}

function decodeUser(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}

/** Whether curl would expand braces or brackets to several URLs: `{a,b}`, `[1-9]`. */
function isGlob(url: string): boolean {
  let inBraces = false;
  for (const sign of url) {
    if (sign === ',' && inBraces) return true;
    inBraces = sign === '{' || (inBraces && sign !== '}');
  }
  return /\[\w+-\w/.test(url);
}

function requestOf(reading: Reading): PastedRequest {
  const [url, ...more] = reading.urls;
  if (url === undefined) throw new Unreadable('The command has no URL.');
  const { origin, target, user } = placeOf(url);
  const inQuery = [...reading.queries, ...(reading.get ? [bodyOf(reading)] : [])].join('&');
  const remarks = [...reading.remarks];
  if (more.length > 0) remarks.push(missing('Only the first of several URLs is imported.'));
  if (!reading.globoff && isGlob(url)) {
    remarks.push(changed('curl would expand its braces or brackets to several URLs.'));
  }
  return {
    method: methodOf(reading),
    origin,
    target: reading.request_target ?? joined(target, visible(inQuery)),
    headers: headersOf(reading, user),
    body: reading.get ? '' : bodyOf(reading),
    remarks,
  };
}

/** A real command is never longer. */
const LONGEST = 1_000_000;

function commandIn(text: string): string {
  if (text.length > LONGEST) {
    throw new Unreadable(`This is longer than ${LONGEST.toLocaleString('en')} characters.`);
  }
  const start = endOfCurl(text);
  if (start < 0) throw new Unreadable('The command must begin with curl.');
  const command = text.slice(start);
  if (/`[ \t]*\r?\n/.test(command)) {
    throw new Unreadable(
      'This command is quoted for PowerShell. Copy it for bash or for cmd instead.',
    );
  }
  return command;
}

/** @throws Unreadable when the text contains no curl command */
export function parseCurl(text: string): PastedRequest {
  const command = commandIn(text);
  const { words, remarks } = isForCmd(command) ? cmdWords(command) : posixWords(command);
  const request = requestOf(readOptions(words));
  return { ...request, remarks: [...request.remarks, ...remarks] };
}

const startReading = () => ({
  method: null as string | null,
  urls: [] as string[],
  headers: [] as Header[],
  /** Default headers of curl that the command removes. */
  removed: [] as string[],
  data: [] as string[],
  queries: [] as string[],
  /** Whether the command has a body, even if it cannot be imported. */
  has_data: false,
  json: false,
  form: false,
  get: false,
  head: false,
  authorization: null as string | null,
  request_target: null as string | null,
  globoff: false,
  remarks: [] as Remark[],
});

/** The effects of the options that were read so far. */
type Reading = ReturnType<typeof startReading>;

/** Encodes like --data-urlencode, with a plus sign for a space. */
const percentEncode = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'(*)]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

const fromFile = (option: string, value: string): Remark =>
  missing(
    `${option} ${value} reads a file, which this page cannot do; paste its text into the body.`,
  );

type Effect = (reading: Reading, value: string, option: string) => void;

const setting =
  (change: (value: string) => Partial<Reading>): Effect =>
  (reading, value) =>
    Object.assign(reading, change(value));

const addData =
  (reads: boolean): Effect =>
  (reading, value, option) => {
    reading.has_data = true;
    if (reads && value.startsWith('@')) reading.remarks.push(fromFile(option, value));
    else reading.data.push(value);
  };

/** `content`, `=content`, `name=content`, `@file`, `name@file`. */
function urlEncoded(value: string): string | null {
  const [, name = '', sign, content = ''] = /^([^=@]*)([=@])([\s\S]*)$/.exec(value) ?? [];
  if (sign === '@') return null;
  if (sign === undefined) return percentEncode(value);
  return name === '' ? percentEncode(content) : `${name}=${percentEncode(content)}`;
}

const addUrlEncoded: Effect = (reading, value, option) => {
  reading.has_data = true;
  const encoded = urlEncoded(value);
  if (encoded === null) reading.remarks.push(fromFile(option, value));
  else reading.data.push(encoded);
};

const addHeader: Effect = (reading, value, option) => {
  if (value.startsWith('@')) {
    reading.remarks.push(
      missing(`${option} ${value} reads headers from a file, which this page cannot do.`),
    );
    return;
  }
  const [, name = '', sign = '', rest = ''] = /^([^:;]*)([:;]?)([\s\S]*)$/.exec(value) ?? [];
  if (sign === ':' && rest.trim() !== '') reading.headers.push([name.trim(), rest.trim()]);
  else if (sign === ';' && rest.trim() === '') reading.headers.push([name.trim(), '']);
  else if (sign === ':') reading.removed.push(name.trim().toLowerCase());
  else reading.remarks.push(missing(`${option} ${value} is not a header, and was omitted.`));
};

const addUser: Effect = (reading, value) => {
  reading.authorization = `Basic ${base64OfText(value.includes(':') ? value : `${value}:`)}`;
  if (!value.includes(':')) {
    reading.remarks.push(missing('-u has no password; curl would ask for one.'));
  }
};

const addCookie: Effect = (reading, value, option) => {
  if (value.includes('=')) reading.headers.push(['Cookie', value]);
  else
    reading.remarks.push(
      missing(`${option} ${value} reads cookies from a file, which this page cannot do.`),
    );
};

const addForm: Effect = (reading, _value, option) => {
  reading.has_data = true;
  if (reading.form) return;
  reading.form = true;
  reading.remarks.push(
    missing(
      `${option} sends multipart/form-data, which no endpoint here accepts; its parts were omitted. Use -d or --data-urlencode.`,
    ),
  );
};

const refuse =
  (why: string): Effect =>
  (reading, _value, option) =>
    reading.remarks.push(missing(`${option} ${why}`));

const EFFECTS: Readonly<Record<string, Effect>> = {
  request: setting((method) => ({ method })),
  url: (reading, value) => reading.urls.push(value),
  'url-query': (reading, value) => {
    const encoded = value.startsWith('+') ? value.slice(1) : urlEncoded(value);
    if (encoded === null) reading.remarks.push(fromFile('--url-query', value));
    else reading.queries.push(encoded);
  },
  'request-target': setting((request_target) => ({ request_target })),
  header: addHeader,
  data: addData(true),
  'data-ascii': addData(true),
  'data-binary': addData(true),
  'data-raw': addData(false),
  'data-urlencode': addUrlEncoded,
  json: (reading, value, option) => {
    reading.json = true;
    addData(true)(reading, value, option);
  },
  get: setting(() => ({ get: true })),
  head: setting(() => ({ head: true })),
  globoff: setting(() => ({ globoff: true })),
  user: addUser,
  'oauth2-bearer': setting((token) => ({ authorization: `Bearer ${token}` })),
  'user-agent': (reading, value) => reading.headers.push(['User-Agent', value]),
  referer: (reading, value) => reading.headers.push(['Referer', value.replace(/;auto$/, '')]),
  cookie: addCookie,
  range: (reading, value) => reading.headers.push(['Range', `bytes=${value}`]),
  form: addForm,
  'form-string': addForm,
  'upload-file': refuse('sends a file, which this page cannot do; it was omitted.'),
  config: refuse('reads options from a file, which this page cannot do; it was omitted.'),
  location: refuse('follows redirects; here the first response is shown.'),
  next: refuse('starts a second request; only the first is imported.'),
};

/** The long names of short options that mean something here. */
// prettier-ignore
const LONG_NAMES: Readonly<Record<string, string>> = {
  1: 'tlsv1', 4: 'ipv4', 6: 'ipv6', ':': 'next', '#': 'progress-bar', A: 'user-agent', b: 'cookie',
  c: 'cookie-jar', C: 'continue-at', d: 'data', D: 'dump-header', e: 'referer', E: 'cert',
  f: 'fail', F: 'form', g: 'globoff', G: 'get', H: 'header', i: 'include', I: 'head',
  k: 'insecure', K: 'config', L: 'location', m: 'max-time', N: 'no-buffer', o: 'output',
  O: 'remote-name', P: 'ftp-port', Q: 'quote', r: 'range', s: 'silent', S: 'show-error',
  t: 'telnet-option', T: 'upload-file', u: 'user', U: 'proxy-user', v: 'verbose', w: 'write-out',
  x: 'proxy', X: 'request', y: 'speed-time', Y: 'speed-limit', z: 'time-cond', Z: 'parallel',
};

/** Options with a value, which would otherwise be read as the URL. */
// prettier-ignore
const WITH_VALUE = new Set([
  'abstract-unix-socket', 'alt-svc', 'aws-sigv4', 'cacert', 'capath', 'cert', 'cert-type',
  'ciphers', 'config', 'connect-timeout', 'connect-to', 'continue-at', 'cookie', 'cookie-jar',
  'create-file-mode', 'crlfile', 'curves', 'data', 'data-ascii', 'data-binary', 'data-raw',
  'data-urlencode', 'delegation', 'dns-interface', 'dns-ipv4-addr', 'dns-ipv6-addr', 'dns-servers',
  'doh-url', 'dump-header', 'ech', 'egd-file', 'engine', 'etag-compare', 'etag-save',
  'expect100-timeout', 'form', 'form-string', 'ftp-account', 'ftp-alternative-to-user',
  'ftp-method', 'ftp-port', 'ftp-ssl-ccc-mode', 'happy-eyeballs-timeout-ms', 'haproxy-clientip',
  'header', 'hostpubmd5', 'hostpubsha256', 'hsts', 'interface', 'ip-tos', 'ipfs-gateway', 'json',
  'keepalive-cnt', 'keepalive-time', 'key', 'key-type', 'krb', 'libcurl', 'limit-rate',
  'local-port', 'login-options', 'mail-auth', 'mail-from', 'mail-rcpt', 'max-filesize',
  'max-redirs', 'max-time', 'netrc-file', 'noproxy', 'oauth2-bearer', 'output', 'output-dir',
  'parallel-max', 'pass', 'pinnedpubkey', 'preproxy', 'proto', 'proto-default', 'proto-redir',
  'proxy', 'proxy-cacert', 'proxy-capath', 'proxy-cert', 'proxy-cert-type', 'proxy-ciphers',
  'proxy-crlfile', 'proxy-header', 'proxy-key', 'proxy-key-type', 'proxy-pass',
  'proxy-pinnedpubkey', 'proxy-service-name', 'proxy-tls13-ciphers', 'proxy-tlsauthtype',
  'proxy-tlspassword', 'proxy-tlsuser', 'proxy-user', 'proxy1.0', 'pubkey', 'quote', 'random-file',
  'range', 'rate', 'referer', 'request', 'request-target', 'resolve', 'retry', 'retry-delay',
  'retry-max-time', 'sasl-authzid', 'service-name', 'sigalgs', 'socks4', 'socks4a', 'socks5',
  'socks5-gssapi-service', 'socks5-hostname', 'speed-limit', 'speed-time', 'stderr',
  'telnet-option', 'tftp-blksize', 'time-cond', 'tls-max', 'tls13-ciphers', 'tlsauthtype',
  'tlspassword', 'tlsuser', 'trace', 'trace-ascii', 'trace-config', 'unix-socket', 'upload-file',
  'url', 'url-query', 'user', 'user-agent', 'variable', 'vlan-priority', 'write-out',
]);

/** Options that control how curl runs or what it prints, without effect on the request. */
// prettier-ignore
const SILENT = new Set([
  'compressed', 'connect-timeout', 'create-dirs', 'dump-header', 'fail', 'fail-early',
  'fail-with-body', 'globoff', 'http1.1', 'include', 'insecure', 'ipv4', 'ipv6', 'keepalive-time',
  'max-time', 'no-buffer', 'no-keepalive', 'no-progress-meter', 'output', 'parallel', 'path-as-is',
  'progress-bar', 'remote-name', 'retry', 'retry-all-errors', 'retry-connrefused', 'retry-delay',
  'retry-max-time', 'show-error', 'silent', 'stderr', 'tcp-nodelay', 'tlsv1', 'tlsv1.0', 'tlsv1.1',
  'tlsv1.2', 'tlsv1.3', 'trace', 'trace-ascii', 'trace-time', 'verbose', 'write-out',
]);

/** `curl`, `/usr/bin/curl`, `C:\tools\curl.exe`. */
const PROGRAM = /^(?:[\w./\\:-]*[/\\])?curl(?:\.exe)?$/i;
const WORD = /\S+/y;
const BLANKS = /[ \t]*/y;
const ASSIGNMENT = /^\w+=/;
/** A prompt ends with one of these: `user@host:~$`. */
const PROMPT_SIGNS = Array.from('$%>#');
/** `PS C:\work>`, `C:\My work>`. */
const WINDOWS_PROMPT = /(?:PS )?[a-z]:\\[^>\n]*>/iy;

/** The end of a sticky pattern's match at this position; the position itself without a match. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** @param start where the command begins @returns -1 when its program is not curl */
function endOfProgram(line: string, start: number): number {
  let at = after(BLANKS, line, start);
  for (;;) {
    const end = after(WORD, line, at);
    const word = line.slice(at, end);
    if (PROGRAM.test(word)) return end;
    const next = after(BLANKS, line, end);
    if (!ASSIGNMENT.test(word) || next === end) return -1;
    at = next;
  }
}

/** Where a command can begin in a line: after a prompt, or at its start. */
function startsIn(line: string): number[] {
  const start = after(BLANKS, line, 0);
  const word = line.slice(start, after(WORD, line, start));
  const signs = PROMPT_SIGNS.flatMap((sign) => [word.lastIndexOf(sign), word.indexOf(sign)]);
  const prompts = signs.filter((at) => at >= 0).map((at) => start + at + 1);
  return [after(WINDOWS_PROMPT, line, start), ...prompts.sort((a, b) => b - a), start];
}

/** The position after the word curl; -1 when no line contains a curl command. */
function endOfCurl(text: string): number {
  let start = 0;
  for (const line of text.split(/[\r\n]/)) {
    for (const at of startsIn(line)) {
      const end = endOfProgram(line, at);
      if (end >= 0) return start + end;
    }
    start += line.length + 1;
  }
  return -1;
}
