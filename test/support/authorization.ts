// Requests to the authorization and logout endpoints of the domain, and users who approve or deny. A browser is
// represented by its session and its identifier.

import { expect } from 'vitest';
import type { AuthorizationRequest } from '../../src/core/authorization/request-parameters.ts';
import type { AuthorizationOutcome, Question } from '../../src/core/authorization/consent.ts';
import type { Visitor } from '../../src/core/authorization/sessions.ts';
import type { OAuthError } from '../../src/core/checks/errors.ts';
import type { RefusalReason } from '../../src/core/checks/refusals/index.ts';
import type { Evaluation } from '../../src/core/checks/trace.ts';
import { createEvaluation } from '../../src/core/checks/trace.ts';
import type { Decision } from '../../src/core/authorization/endpoints.ts';
import type { TokenRequest } from '../../src/core/model/request.ts';
import type { RequestParameters, TestServiceOptions } from './core.ts';
import {
  createTestService,
  evaluated,
  expectRefusal,
  ISSUER,
  ORDERS,
  parametersOf,
  REDIRECT_URI,
  tokenRequest,
} from './core.ts';

/** A request as a client library builds it; a parameter of undefined is left out. */
export function authorizationRequest(
  parameters: RequestParameters = {},
  repeated: readonly string[] = [],
): AuthorizationRequest {
  const all = parametersOf({
    response_type: 'code',
    client_id: 'demo-app',
    redirect_uri: REDIRECT_URI,
    audience: ORDERS,
    scope: 'openid orders:read',
    state: 'xyz',
    ...parameters,
  });
  return { parameters: all, repeated: new Set(repeated) };
}

export interface AuthorizationResult {
  /** null when the request was rejected on a page. */
  readonly outcome: AuthorizationOutcome | null;
  readonly refusal: OAuthError | null;
  readonly evaluation: Evaluation;
}

type Answered = Extract<AuthorizationOutcome, { kind: 'answer' }>;

export function answerOf({ outcome, refusal }: AuthorizationResult): Answered {
  if (outcome?.kind === 'answer') return outcome;
  throw new Error(outcome === null ? `refused on a page: ${String(refusal?.reason)}` : 'asked');
}

export function questionOf({ outcome, refusal }: AuthorizationResult): Question {
  if (outcome?.kind === 'question') return outcome.question;
  throw new Error(`not asked: ${String(refusal?.reason)}`);
}

/** A service with a browser that keeps its session. */
export function createAuthorizationBench(options: TestServiceOptions = {}) {
  const bench = createTestService(options);
  const { userAuthorization } = bench.service;
  const browser = { session: null as string | null, browser: 'this browser' };
  let exchanges = 100;

  const resultOf = async (
    evaluate: (evaluation: Evaluation) => Promise<AuthorizationOutcome>,
  ): Promise<AuthorizationResult> => {
    const evaluation = createEvaluation(++exchanges);
    const { answer: outcome, refusal } = await evaluated(evaluation, () => evaluate(evaluation));
    if (outcome === null) return { outcome, refusal, evaluation };
    if (outcome.kind === 'question') return { outcome, refusal, evaluation };
    if (outcome.session !== null) browser.session = outcome.session.id;
    return { outcome, refusal: outcome.refusal, evaluation };
  };
  const send = (request: AuthorizationRequest, visitor: Visitor = browser) =>
    resultOf((evaluation) => userAuthorization.evaluate(request, visitor, evaluation));
  const ask = (parameters?: RequestParameters) => send(authorizationRequest(parameters));
  const decide = (decision: Partial<Decision> & { form: string }, visitor: Visitor = browser) =>
    resultOf((evaluation) =>
      userAuthorization.decide(
        {
          approved: true,
          sub: 'ada',
          scopes: ['openid', 'orders:read'],
          credentials: { password: '', one_time_code: '' },
          ...decision,
        },
        visitor,
        evaluation,
      ),
    );
  return {
    ...bench,
    browser,
    send,
    ask,
    decide,
    /** The record of the code of a response. */
    codeOf: async ({ parameters }: Answered) => {
      const code = await bench.stores.findCode(parameters['code'] ?? '', bench.clock.now());
      if (code === undefined) throw new Error('the code was not recorded');
      return code;
    },
    /** Exchanges the code of a response. */
    tokensFor: async ({ parameters }: Answered, sent?: RequestParameters) =>
      bench.answered(await bench.exchange(parameters['code'] ?? '', sent)),
    /** Pushes these parameters with the credentials of the demo client. */
    push: (parameters: RequestParameters, members: Partial<TokenRequest> = {}) => {
      const evaluation = createEvaluation(++exchanges);
      const none = { audience: undefined, grant_type: undefined, redirect_uri: undefined };
      const body = tokenRequest({ ...none, ...parameters }, { content_type: 'form', ...members });
      return evaluated(evaluation, () => userAuthorization.push(body, evaluation));
    },
    /** The request of a browser for a pushed request. */
    visit: (request_uri: string, beside: RequestParameters = {}) =>
      send({
        parameters: parametersOf({ client_id: 'demo-app', request_uri, ...beside }),
        repeated: new Set(),
      }),
    /** Sends the request and approves the consent page. */
    approve: async (parameters?: RequestParameters, decision: Partial<Decision> = {}) => {
      const { form, scopes } = questionOf(await ask(parameters));
      return answerOf(await decide({ form, scopes, ...decision }));
    },
    logout: async (parameters: Readonly<Record<string, string>>, visitor: Visitor = browser) => {
      const evaluation = createEvaluation(++exchanges);
      const request = {
        parameters: new Map(Object.entries(parameters)),
        repeated: new Set<string>(),
      };
      return { ...(await userAuthorization.logout(request, visitor, evaluation)), evaluation };
    },
  };
}

/** Expects a refusal on a page, without a redirect. */
export function expectPage(
  { outcome, refusal }: AuthorizationResult,
  reason: RefusalReason,
  detail?: string | RegExp,
) {
  expect(outcome).toBeNull();
  return expectRefusal({ refusal }, reason, detail);
}

/** Expects a redirect to the client with the error, its state and the issuer. */
export function expectRedirect(
  { outcome, refusal }: AuthorizationResult,
  reason: RefusalReason,
  detail?: string | RegExp,
) {
  expectRefusal({ refusal }, reason, detail);
  expect(outcome).toMatchObject({
    kind: 'answer',
    session: null,
    target: { redirect_uri: REDIRECT_URI },
    parameters: {
      error: refusal?.code,
      error_description: refusal?.description,
      state: 'xyz',
      iss: ISSUER,
    },
  });
  expect(outcome).not.toHaveProperty('parameters.code');
}
