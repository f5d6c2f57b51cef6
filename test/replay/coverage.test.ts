// The coverage of the corpus: every reason for a refusal, every operation of the control API, every endpoint.
// Deliberate exceptions are listed here with their reasons.

import { describe, expect, test } from 'vitest';
import { API_REFUSALS } from '../../src/core/checks/refusals/of-access-tokens.ts';
import {
  ASSERTION_GRANT_REFUSALS,
  ON_BEHALF_OF_REFUSALS,
  REQUEST_OBJECT_REFUSALS,
} from '../../src/core/checks/refusals/of-assertions.ts';
import {
  DEVICE_CODE_REFUSALS,
  DEVICE_REFUSALS,
} from '../../src/core/checks/refusals/of-devices.ts';
import { DPOP_REFUSALS } from '../../src/core/checks/refusals/of-dpop.ts';
import { PASSWORD_REFUSALS } from '../../src/core/checks/refusals/of-credentials.ts';
import { PUSHED_REQUEST_REFUSALS } from '../../src/core/checks/refusals/of-authorization.ts';
import { TOKEN_EXCHANGE_REFUSALS } from '../../src/core/checks/refusals/of-token-exchange.ts';
import { readSession, sessionNames } from './corpus-files.ts';
import type { HttpStep, Outcome } from './document.ts';
import { refusalReasons } from './engine-under-test.ts';
import { words } from '../support/words.ts';

const UNREACHED: Readonly<Record<string, string>> = {
  fault: 'nothing from outside makes the service itself fail',
  body_stalled: 'takes 15 s of machine time',
  request_slow: 'takes 15 s of machine time',
  registration_full: 'takes 10,000 clients',
  tls_failed: 'sessions are recorded over HTTP',
};

/** Reasons newer than the corpus, covered by the tests of their features in test/core and test/flows. */
const LATER: ReadonlySet<string> = new Set([
  ...Object.keys({
    ...API_REFUSALS,
    ...ASSERTION_GRANT_REFUSALS,
    ...DEVICE_CODE_REFUSALS,
    ...DEVICE_REFUSALS,
    ...DPOP_REFUSALS,
    ...ON_BEHALF_OF_REFUSALS,
    ...PASSWORD_REFUSALS,
    ...PUSHED_REQUEST_REFUSALS,
    ...REQUEST_OBJECT_REFUSALS,
    ...TOKEN_EXCHANGE_REFUSALS,
  }),
  ...words(
    'push_required resource_repeated grant_not_in_profile logout_client_missing',
    'logout_uri_of_no_client message_mode_not_silent message_mode_without_origin',
    'sign_in_password_wrong sign_in_code_wrong sign_in_user_locked',
    'access_token_not_issued client_document_unusable client_assertion_keys_unavailable',
    'client_assertion_secret_wrong client_assertion_secret_short',
    'registration_token_missing registration_token_wrong',
  ),
]);

const sessions = await Promise.all((await sessionNames()).map(readSession));
const steps = sessions.flatMap((session) => session.steps);

interface Seen {
  readonly operation: string;
  readonly outcome: Outcome;
}

const asked = (member: 'http' | 'control'): Seen[] =>
  steps.flatMap((step) => {
    const operation = (step as HttpStep)[member]?.split(/[?#]/, 1)[0];
    return operation === undefined ? [] : [{ operation, outcome: step.outcome }];
  });

test('every reason for a refusal is recorded, apart from the listed exceptions', () => {
  const exchanges = steps.flatMap(({ outcome }) => outcome.exchanges ?? []);
  const reached = new Set(
    exchanges.flatMap(({ reason }) => (typeof reason === 'string' ? reason.split(' or ') : [])),
  );
  const missed = refusalReasons.filter((reason) => !reached.has(reason) && !LATER.has(reason));
  expect(missed.sort()).toEqual(Object.keys(UNREACHED).sort());
});

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** Operations without input that always succeed. */
const NEVER_REFUSED = [
  ...[
    'GET /fault-presets',
    'DELETE /faults',
    'DELETE /throttle',
    'GET /settings',
    'GET /workspace',
  ],
  'GET /keys',
  'GET /server',
  'POST /server/stop',
];

/** Operations newer than the corpus, each with its own tests. */
const LATER_OPERATIONS =
  /^\/(?:devices|shape|callbacks|keys\/fetch|tokens\/sign|saved-|requests\/evaluate|refusals|client-checks|logout|holds|apis|workspace\/(?:former|preview))/;

describe('every operation of the control API in the corpus', () => {
  const { outcome } =
    asked('control').find(({ operation }) => operation === 'GET /openapi.json') ?? {};
  const { paths } = outcome?.answer?.json as Document;
  const operations = Object.entries(paths)
    .filter(([path]) => !LATER_OPERATIONS.test(path))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
  const statusesOf = (operation: string) => {
    const pattern = operation.replace(/\{\w+\}/g, '[^/]+').replace(' ', ' /api');
    return asked('control')
      .filter((one) => new RegExp(`^${pattern}$`).test(one.operation))
      .map((one) => one.outcome.answer?.status ?? 0);
  };

  test('succeeds at least once', () => {
    // The feed has its own kind of step.
    const undone = operations.filter((one) => !statusesOf(one).some((status) => status < 300));
    expect(undone).toEqual(['GET /events']);
  });

  test('is rejected at least once, if it can be', () => {
    const unrefused = operations.filter((one) => !statusesOf(one).some((status) => status >= 400));
    expect(unrefused.sort()).toEqual([...NEVER_REFUSED, 'GET /events'].sort());
  });
});

test('every endpoint is requested with every method', () => {
  const seen = new Set(asked('http').map(({ operation }) => operation));
  const paths = words(
    '/oauth/token /oauth/revoke /oauth/introspect /userinfo /authorize /logout /oauth/par',
    '/register /.well-known/jwks.json /.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration /livez /readyz /',
  );
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
  const wanted = paths.flatMap((path) => methods.map((method) => `${method} ${path}`));
  expect(wanted.filter((one) => !seen.has(one))).toEqual([]);
});
