// Every parser of foreign text with the same interface: how it reads, and which error it may throw. The growth tests
// and the fuzzer share this table.

import { createVariables } from '../../../src/scenario/actions/variables.ts';
import { inOneLine } from '../../../src/cli/terminal/print.ts';
import { exchangeExportSchema } from '../../../src/control/export-schemas.ts';
import { formPostParameters } from '../../../src/oauth/fields.ts';
import { jwtOf, readToken } from '../../../src/oauth/jwt.ts';
import {
  parseBasic,
  readAuthorization,
} from '../../../src/core/client-authentication/authorization-header.ts';
import { assertedClient } from '../../../src/core/client-authentication/client-assertion.ts';
import { OAuthError } from '../../../src/core/checks/errors.ts';
import {
  isNestedTooDeeply,
  parseJsonText,
  readPlacedJson,
} from '../../../src/core/records/json-text.ts';
import { fitsPattern } from '../../../src/core/records/endpoints.ts';
import { isOwnRedirectUri } from '../../../src/core/records/redirect-uri.ts';
import { clientSchema, signingKeySchema } from '../../../src/core/records/schemas.ts';
import { parseScope } from '../../../src/core/registry/scopes.ts';
import { createHostCheck } from '../../../src/engine/control-server/server.ts';
import { readScenario } from '../../../src/cli/commands/run/own-sandbox.ts';
import { checkWorkspaceText } from '../../../src/engine/workspace/document.ts';
import { withoutCredentials } from '../../../src/redact/redactor.ts';
import { masked } from '../../../src/renderer/exchange/secrets.ts';
import { cleanToken } from '../../../src/renderer/views/tokens/paste-store.ts';
import { readBasic } from '../../../src/oauth/client-authentication.ts';
import { jsonMembers } from '../../../src/renderer/composing/field-rows.ts';
import { parseCurl } from '../../../src/renderer/views/requests/parse-curl.ts';
import { Unreadable } from '../../../src/renderer/views/requests/shell-words.ts';
import { readNumber } from '../../../src/renderer/views/traffic/number-ranges.ts';
import { readTypedJson } from '../../../src/renderer/ui/typed-json.ts';
import { parseBody, queryNames, readContentType } from '../../../src/server/body.ts';
import { clientIp } from '../../../src/server/sender.ts';
import { readCookies } from '../../../src/server/browser-request.ts';
import { claimsOf } from '../../../src/server/claimed-client.ts';
import { client, createTestService } from '../../support/core.ts';

export interface Parser {
  readonly read: (text: string) => unknown;
  /** The documented error; any other one is a bug. */
  readonly refusal?: new (...args: never[]) => Error;
  /** Prefixes that get a hostile text past the first check. */
  readonly openings: readonly string[];
  /** The maximum length of the input, where an earlier check limits it below that of a body. */
  readonly longest?: number;
}

const { service } = createTestService();
const isForeign = createHostCheck(4281, ['bench.example:4281']);
const native = client({
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1/callback', 'http://[::1]:4/a'],
});

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A key as registered, and as imported. */
const readJwk = (text: string) => [
  clientSchema.safeParse({ client_id: 'a', jwks: { keys: [json(text)] } }).success,
  signingKeySchema.safeParse(json(text)).success,
];

const header = (value: string) => value.replaceAll(/[\r\n\0]/g, ' ');

export const PARSERS: Readonly<Record<string, Parser>> = {
  form: {
    read: (text) => parseBody(Buffer.from(text), 'form'),
    refusal: OAuthError,
    openings: ['', 'a=b&scope=openid profile&'],
  },
  'json-body': {
    read: (text) => parseBody(Buffer.from(text), 'json'),
    refusal: OAuthError,
    openings: ['{"a":"', '{"a":', ''],
  },
  query: { read: queryNames, openings: ['', 'a=b&'] },
  'form-post': {
    read: formPostParameters,
    openings: ['', '<input ', '<input name="code" value="&#'],
  },
  'content-type': {
    read: (text) => readContentType({ 'content-type': header(text) }),
    refusal: OAuthError,
    openings: ['application/json;', 'application/json;charset=', ''],
  },
  cookies: {
    read: (text) => readCookies({ cookie: header(text), host: header(text) }, service),
    openings: ['', 'grantbench_session_4280='],
  },
  authorization: {
    read: (text) => [readAuthorization(header(text)), parseBasic(header(text))],
    openings: ['', 'Bearer ', 'Basic '],
  },
  'client-address': {
    read: (text) => clientIp({ headers: { 'x-forwarded-for': text }, socket: {} }, true),
    openings: ['', '[', '::ffff:'],
  },
  'host-and-origin': {
    read: (text) => [
      isForeign({ host: text }),
      isForeign({ host: 'localhost:4281', origin: `http://${text}` }),
    ],
    openings: ['', 'bench.example:'],
  },
  'claims-of-a-request': {
    read: (text) => claimsOf(Buffer.from(text), header(text), header(text)),
    openings: ['', '{"client_id":"', 'client_assertion='],
  },
  scope: { read: parseScope, openings: ['', 'openid '] },
  'redirect-uri': {
    read: (text) => isOwnRedirectUri(native, text),
    openings: ['http://127.0.0.1:', 'http://[::1]/'],
  },
  'path-pattern': { read: (text) => fitsPattern('/a*b*/c', text), openings: ['/a', '/ab'] },
  'client-assertion': { read: assertedClient, openings: ['', 'e30.', 'e30.e30.'] },
  jwt: {
    read: (text) => jwtOf(readToken(cleanToken(text).token)),
    openings: ['', 'e30.', 'Authorization: Bearer ', '"'],
  },
  jwk: { read: readJwk, openings: ['{"kty":"RSA","n":"', '{"kty":"EC","crv":"P-256","x":', ''] },
  'json-text': {
    read: (text) => [parseJsonText(text), isNestedTooDeeply(text)],
    openings: ['', '[', '{"a":"', '{"a":1,"a":'],
  },
  'json-with-places': {
    read: (text) => {
      const { problems, placeOf } = readPlacedJson(text);
      return problems.map(({ path }) => placeOf(path));
    },
    openings: ['', '[', '{"a":"', '{"a":1,\n"a":'],
  },
  workspace: { read: checkWorkspaceText, openings: ['{"version":1,"clients":[', '', '{"'] },
  scenario: {
    read: readScenario,
    openings: [
      '{"format":"grantbench-scenario","version":1,"steps":[{"name":"{{',
      '',
      '{"steps":["',
    ],
  },
  variables: {
    read: (text) => createVariables().canFill(text),
    openings: ['', '{{'],
  },
  curl: {
    read: parseCurl,
    refusal: Unreadable,
    openings: ['', 'curl ', "curl $'", 'curl "', 'curl http://a/', 'curl ^\n"'],
    longest: 1_000_000,
  },
  'json-members': { read: jsonMembers, openings: ['{"a":"', '{"a":['] },
  'typed-json': { read: readTypedJson, openings: ['', '{"a":"'] },
  'basic-of-the-composer': { read: readBasic, openings: ['Basic '] },
  'masked-text': {
    read: masked,
    openings: ['', '"client_secret":"', 'client_secret=', 'authorization: Basic '],
  },
  'text-without-credentials': { read: withoutCredentials, openings: ['', 'eyJ', '{"code":"'] },
  'exchange-number': { read: readNumber, openings: ['', '#'] },
  'exchange-ranges': {
    read: (text) => exchangeExportSchema.safeParse({ numbers: text }).success,
    openings: ['', '1-'],
  },
  'terminal-text': { read: inOneLine, openings: [''] },
};

export function parserOf(name: string): Parser {
  const parser = PARSERS[name];
  if (parser === undefined) throw new Error(`there is no parser called ${name}`);
  return parser;
}

/** Throws only undocumented errors. */
export async function readForeign({ read, refusal }: Parser, text: string): Promise<unknown> {
  try {
    return await read(text);
  } catch (error) {
    if (refusal !== undefined && error instanceof refusal) return null;
    throw error;
  }
}
