// What each option of curl does to the request that is being read.

import { base64OfText } from '../../../../oauth/base64.ts';
import { missing, type Remark } from './remark.ts';

/** What the options have said so far. */
export interface Reading {
  method: string | null;
  readonly urls: string[];
  readonly headers: [string, string][];
  /** Headers that curl would set by itself and was told not to. */
  readonly removed: string[];
  readonly data: string[];
  readonly queries: string[];
  /** Whether there is a body, if only one that could not be taken over. */
  has_data: boolean;
  json: boolean;
  form: boolean;
  get: boolean;
  head: boolean;
  authorization: string | null;
  request_target: string | null;
  globoff: boolean;
  readonly remarks: Remark[];
}

export const startReading = (): Reading => ({
  method: null,
  urls: [],
  headers: [],
  removed: [],
  data: [],
  queries: [],
  has_data: false,
  json: false,
  form: false,
  get: false,
  head: false,
  authorization: null,
  request_target: null,
  globoff: false,
  remarks: [],
});

/** As --data-urlencode writes it, a space as a plus sign. */
const percentEncode = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'(*)]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

const fromFile = (option: string, value: string): Remark =>
  missing(
    `${option} ${value} reads a file, which this page cannot do; paste its text into the body.`,
  );

type Effect = (reading: Reading, value: string, option: string) => void;

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
  else reading.remarks.push(missing(`${option} ${value} is not a header; it is left out.`));
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
      `${option} sends multipart/form-data, which no endpoint here accepts; its parts are left out. Use -d or --data-urlencode.`,
    ),
  );
};

const refuse =
  (why: string): Effect =>
  (reading, _value, option) =>
    reading.remarks.push(missing(`${option} ${why}`));

export const EFFECTS: Readonly<Record<string, Effect>> = {
  request: (reading, value) => {
    reading.method = value;
  },
  url: (reading, value) => reading.urls.push(value),
  'url-query': (reading, value) => {
    const encoded = value.startsWith('+') ? value.slice(1) : urlEncoded(value);
    if (encoded === null) reading.remarks.push(fromFile('--url-query', value));
    else reading.queries.push(encoded);
  },
  'request-target': (reading, value) => {
    reading.request_target = value;
  },
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
  get: (reading) => {
    reading.get = true;
  },
  head: (reading) => {
    reading.head = true;
  },
  globoff: (reading) => {
    reading.globoff = true;
  },
  user: addUser,
  'oauth2-bearer': (reading, value) => {
    reading.authorization = `Bearer ${value}`;
  },
  'user-agent': (reading, value) => reading.headers.push(['User-Agent', value]),
  referer: (reading, value) => reading.headers.push(['Referer', value.replace(/;auto$/, '')]),
  cookie: addCookie,
  range: (reading, value) => reading.headers.push(['Range', `bytes=${value}`]),
  form: addForm,
  'form-string': addForm,
  'upload-file': refuse('sends a file, which this page cannot do; it is left out.'),
  config: refuse('reads options from a file, which this page cannot do; it is left out.'),
  location: refuse('follows redirects; here the first response is shown.'),
  next: refuse('starts a second request; only the first is imported.'),
};
