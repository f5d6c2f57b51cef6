// Places and encodings in which a secret can occur by mistake: requests with each of them, and a check whether a text
// shows the secret.

import { sendRaw } from './http-service.ts';

export interface WrittenRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export interface Place {
  readonly name: string;
  /** The names of the encodings possible at this place. */
  readonly forms: readonly FormName[];
  readonly write: (written: string) => Partial<WrittenRequest>;
}

const percentAll = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

const unicode = (text: string) =>
  Array.from(text, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

const base64 = (text: string) => Buffer.from(text).toString('base64');

const formEncoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);

/** The encodings of a secret. */
export const FORMS = {
  raw: (secret: string) => secret,
  percent: (secret: string) => encodeURIComponent(secret),
  'percent all': percentAll,
  'percent twice': (secret: string) => encodeURIComponent(percentAll(secret)),
  form: formEncoded,
  json: inJson,
  'json unicode': unicode,
  'json twice': (secret: string) => inJson(inJson(secret)),
  'json in percent': (secret: string) => encodeURIComponent(inJson(secret)),
  'percent in json': (secret: string) => inJson(encodeURIComponent(secret)),
  base64: (secret: string) => encodeURIComponent(base64(secret)),
  base64url: (secret: string) => Buffer.from(secret).toString('base64url'),
  basic: (secret: string) => base64(`demo-app:${secret}`),
  'basic, form-encoded': (secret: string) => base64(`demo-app:${formEncoded(secret)}`),
  'basic, percent-encoded': (secret: string) => encodeURIComponent(base64(`demo-app:${secret}`)),
} as const;

export type FormName = keyof typeof FORMS;

const IN_URL: readonly FormName[] = [
  'percent',
  'percent all',
  'percent twice',
  'form',
  'json in percent',
  'base64',
  'base64url',
  'basic, percent-encoded',
];
const IN_HEADER: readonly FormName[] = [
  'raw',
  'percent',
  'percent twice',
  'json',
  'basic',
  'basic, form-encoded',
  'base64url',
];
const IN_JSON: readonly FormName[] = [
  'json',
  'json unicode',
  'percent in json',
  'basic',
  'basic, form-encoded',
  'base64url',
];
const IN_TEXT: readonly FormName[] = ['raw', 'percent', 'json', 'json twice', 'basic', 'base64url'];

const FORM = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
const JSON_TYPE = ['Content-Type', 'application/json'] as const;
const GRANT = 'grant_type=refresh_token';

const url = (name: string, write: (written: string) => string): Place => ({
  name,
  forms: IN_URL,
  write: (written) => ({ target: write(written) }),
});

const header = (header: string, write = (written: string) => written): Place => ({
  name: `header ${header}`,
  forms: IN_HEADER,
  write: (written) => ({ headers: [[header, write(written)]] }),
});

const form = (name: string, write: (written: string) => string): Place => ({
  name: `form: ${name}`,
  forms: IN_URL,
  write: (written) => ({ headers: [FORM], body: write(written) }),
});

const json = (name: string, write: (written: string) => string, forms = IN_JSON): Place => ({
  name: `JSON: ${name}`,
  forms,
  write: (written) => ({ headers: [JSON_TYPE], body: write(written) }),
});

const text = (name: string, type: string, write: (written: string) => string): Place => ({
  name: `${type}: ${name}`,
  forms: IN_TEXT,
  write: (written) => ({ headers: [['Content-Type', type]], body: write(written) }),
});

export const PLACES: readonly Place[] = [
  url('a segment of the path', (written) => `/oauth/${written}/token`),
  url('the end of the path', (written) => `/oauth/token/${written}`),
  url('a parameter of the path', (written) => `/oauth/token;access_token=${written}`),
  url('query: client_id', (written) => `/authorize?response_type=code&client_id=${written}&x=1`),
  url('query: clientSecret', (written) => `/oauth/token?x=1&clientSecret=${written}`),
  url('query: api_key', (written) => `/oauth/token?api_key=${written}&x=1`),
  url('query: client[secret]', (written) => `/oauth/token?client%5Bsecret%5D=${written}`),
  url('query: a name', (written) => `/oauth/token?${written}=1`),
  url('query: state', (written) => `/authorize?client_id=demo-app&state=${written}`),
  url(
    'query: a URL in redirect_uri',
    (written) =>
      `/authorize?client_id=demo-app&redirect_uri=${encodeURIComponent(`http://app.test/cb?note=${written}`)}`,
  ),
  url('query: access_token of userinfo', (written) => `/userinfo?access_token=${written}`),
  url('a path that nobody serves', (written) => `/${written}`),
  url('logout: client_id', (written) => `/logout?client_id=${written}`),
  header('x-client-secret'),
  header('Client-Secret'),
  header('access-token'),
  header('X-Api-Key'),
  header('X-Anything'),
  header('User-Agent', (written) => `app/1.0 (${written})`),
  header('X-Forwarded-Authorization', (written) => `Basic ${written}`),
  header('X-Upstream', (written) => `Basic ${written}`),
  header('Authorization', (written) => `Basic ${written}`),
  header('Cookie', (written) => `session=${written}`),
  header('traceparent'),
  header('Referer', (written) => `http://app.test/cb?note=${encodeURIComponent(written)}`),
  header('Content-Type'),
  form('client_id', (written) => `${GRANT}&client_id=${written}&client_secret=demo-app`),
  form('clientSecret', (written) => `${GRANT}&clientSecret=${written}`),
  form('a name', (written) => `${GRANT}&${written}=1&client_id=demo-app`),
  form('grant_type', (written) => `grant_type=${written}&client_id=demo-app`),
  form('redirect_uri', (written) => `${GRANT}&redirect_uri=${written}`),
  form('code_verifier', (written) => `${GRANT}&code_verifier=${written}`),
  form('scope', (written) => `${GRANT}&scope=openid+${written}`),
  form('audience', (written) => `${GRANT}&client_id=demo-app&audience=${written}`),
  form('state', (written) => `${GRANT}&state=${written}`),
  form('beside a raw blank', (written) => `${GRANT}&note=${written}&scope=openid profile`),
  json('client_id', (written) => `{"grant_type":"refresh_token","client_id":"${written}"}`),
  json('refreshToken', (written) => `{"grant_type":"refresh_token","refreshToken":"${written}"}`),
  json('a name', (written) => `{"${written}":"x"}`),
  json('deep below', (written) => `{"a":[{"b":{"c":["x","${written}"]}}]}`),
  json('a string of JSON', (written) => `{"body":${JSON.stringify(`{"note":"${written}"}`)}}`),
  json('a URL', (written) => `{"url":"http://app.test/cb?x=${written}"}`),
  {
    ...json('redirect_uris at /register', (written) => `{"redirect_uris":["${written}"]}`),
    write: (written) => ({
      target: '/register',
      headers: [JSON_TYPE],
      body: `{"redirect_uris":["${written}"]}`,
    }),
  },
  json('cut short', (written) => `{"grant_type":"refresh_token","note":"${written}`),
  text('a log line', 'text/plain', (written) => `2026-03-01 sent ${written} to the server`),
  text('an assignment', 'text/plain', (written) => `CLIENT_SECRET='${written}'\nHOST=x`),
  text(
    'a part',
    'multipart/form-data; boundary=b',
    (written) =>
      `--b\r\nContent-Disposition: form-data; name="note"\r\n\r\n${written}\r\n--b--\r\n`,
  ),
  text('an element', 'application/xml', (written) => `<note><a>${written}</a></note>`),
];

export interface PlacedSecret {
  readonly title: string;
  readonly place: Place;
  readonly form: FormName;
}

/** Every place with each of its encodings. */
export const PLACED: readonly PlacedSecret[] = PLACES.flatMap((place) =>
  place.forms.map((form) => ({ title: `${place.name}, ${form}`, place, form })),
);

/** The request with the secret at its place. */
export function writeRequest(place: Place, form: FormName, secret: string): WrittenRequest {
  return {
    method: 'POST',
    target: '/oauth/token',
    headers: [],
    body: '',
    ...place.write(FORMS[form](secret)),
  };
}

const bytesOf = ({ method, target, headers, body }: WrittenRequest): string =>
  [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');

/** Sends the request as written. @returns the status of the response */
export async function sendWritten(port: number, request: WrittenRequest): Promise<number> {
  const answer = await sendRaw(port, bytesOf(request));
  return Number(answer.slice('HTTP/1.1 '.length).slice(0, 3));
}

const undoEscapes = (shown: string): string =>
  shown
    .replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\u([\da-f]{4})|\\(.)/gi, (_, hex: string | undefined, char: string | undefined) =>
      hex === undefined ? (char ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
    );

/** Whether a text shows the secret: plain, as encoded, or after decoding. */
export function reveals(shown: string, secret: string, written: string): boolean {
  const plain = undoEscapes(shown);
  const texts = [shown, plain, undoEscapes(plain), plain.replaceAll('+', ' ')];
  const wanted = [secret, written, inJson(secret), inJson(written), encodeURIComponent(secret)];
  return texts.some((text) => wanted.some((one) => text.includes(one)));
}
