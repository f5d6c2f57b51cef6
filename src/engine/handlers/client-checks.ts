// Client checks: cases, the active one, results.

import { CLIENT_CASES } from '../../core/client-checks/cases.ts';
import { LISTED_CASES } from '../client-cases.ts';
import { createClientChecks, DEFAULT_LIMIT_SECONDS, GOOD_LOGIN } from '../client-check.ts';
import type { EngineParts } from '../parts.ts';
import { conflict, invalidField, notFound } from './control-error.ts';
import { os } from './os.ts';

const caseOf = (id: string) => [GOOD_LOGIN, ...CLIENT_CASES].find((one) => one.id === id);

export function clientCheckHandlers(parts: EngineParts) {
  const checks = createClientChecks(parts);
  const { clients } = parts.service.registry;
  return {
    cases: os.clientChecks.cases.handler(() => ({ items: LISTED_CASES, next: null })),
    get: os.clientChecks.get.handler(() => ({ active: checks.active() })),
    start: os.clientChecks.start.handler(async ({ input }) => {
      const { client_id = null, time_limit_seconds = DEFAULT_LIMIT_SECONDS } = input;
      const one = caseOf(input.case);
      if (one === undefined) {
        throw invalidField(
          'case',
          'must be good-login or the id of a case: see GET /client-checks/cases',
        );
      }
      if (client_id !== null && clients.get(client_id) === undefined) {
        throw notFound('client', client_id);
      }
      const started = await checks.start(one, client_id, time_limit_seconds);
      if (started === null) throw conflict('another case is active: end it first');
      return started;
    }),
    end: os.clientChecks.end.handler(({ input: { login, login_tells } }) => {
      const result = checks.end(login, login_tells);
      if (result === null) throw conflict('no case is active');
      return result;
    }),
    stop: os.clientChecks.stop.handler(() => {
      checks.stop();
    }),
    results: os.clientChecks.results.handler(() => ({ items: [...checks.results()], next: null })),
    clear: os.clientChecks.clear.handler(() => {
      checks.clear();
    }),
  };
}
