// Client checks: cases, the active one, results.

import { GOOD_CASE } from '../../core/client-checks/case.ts';
import { CLIENT_CASES } from '../../core/client-checks/cases.ts';
import { LISTED_CASES } from '../client-cases.ts';
import { type ClientChecks, DEFAULT_LIMIT_SECONDS } from '../active-client-check.ts';
import type { EngineParts } from '../parts.ts';
import { conflict, invalidField, notFound } from './control-error.ts';
import { os } from './implementer.ts';

const caseOf = (id: string) => [GOOD_CASE, ...CLIENT_CASES].find((one) => one.id === id);

const NONE = 'no case is active';

export function clientCheckHandlers({ service }: EngineParts, checks: ClientChecks) {
  const { clients } = service.registry;
  return {
    cases: os.clientChecks.cases.handler(() => ({ items: LISTED_CASES, next: null })),
    get: os.clientChecks.get.handler(() => ({ active: checks.active() })),
    start: os.clientChecks.start.handler(async ({ input, context: { connection } }) => {
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
      const seconds = time_limit_seconds;
      const started = await checks.start(one, { client_id, seconds, connection });
      if (started === null) throw conflict('another case is active: end it first');
      return started;
    }),
    update: os.clientChecks.update.handler(({ input: { shown } }) => {
      const active = checks.active();
      if (active === null) throw conflict(NONE);
      if (caseOf(active.case)?.look_for === null) {
        throw invalidField(
          'shown',
          `is about look_for, which the case ${active.case} does not have`,
        );
      }
      return checks.look(shown) ?? active;
    }),
    end: os.clientChecks.end.handler(async ({ input: { login, login_tells } }) => {
      await checks.logoutTokensSent();
      const result = checks.end(login, login_tells);
      if (result === null) throw conflict(NONE);
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
