// The schema of a scenario: its workspace, its steps and their expected responses. A scenario is a test without code,
// recorded in the Flow view or written by hand, and run with `grantbench run`.

import {
  apiSchema,
  audienceSchema,
  clientSchema,
  SCENARIO_FORMAT,
  settingsSchema,
  shapeSchema,
  userSchema,
} from '../control/schemas.ts';
import { z } from '../control/zod.ts';
import { described } from '../core/records/zod.ts';
import type { Members } from './actions/action.ts';
import { object, optional, strictRecord, text, whole } from './actions/members.ts';
import { ACTIONS } from './actions/index.ts';
import { ACTION_NAMES, type ActionName } from './actions/names.ts';
import { MOST_REPEATED } from './defaults.ts';
import { expectation, saved, MATCHERS_DEFINITION } from './expectation.ts';
import { isJsonObject, membersOf } from '../json.ts';
import { documentedFormat } from '../oauth/token-request.ts';

// Rules for combinations of members; each problem names the invalid member.

type Report = (path: readonly string[], message: string) => void;

const ALL = ACTION_NAMES.join(', ');

function actionOf(step: Members, report: Report): ActionName | null {
  const [action, ...more] = ACTION_NAMES.filter((name) => step[name] !== undefined);
  if (action === undefined) {
    report([], `must have one of ${ALL}`);
    return null;
  }
  for (const other of more) {
    report([other], `must not be combined with ${action}: a step has one action`);
  }
  return action;
}

const NOT_COUNTED = 'needs repeat to be an object, such as {"times": 2}';

function checkAnswer(step: Members, action: ActionName, report: Report): void {
  const { expect, save } = step;
  const { answer } = ACTIONS[action];
  if (answer === 'response') {
    const isCounted = membersOf(expect)['statuses'] === undefined || isJsonObject(step['repeat']);
    if (!isCounted) report(['expect', 'statuses'], NOT_COUNTED);
    return;
  }
  if (answer === 'none') {
    if (expect !== undefined) report(['expect'], `must be omitted: ${action} has no response`);
    if (save !== undefined) report(['save'], `must be omitted: ${action} has no response`);
    return;
  }
  const known = ['body', 'claims'];
  for (const name of Object.keys(membersOf(expect))) {
    if (known.includes(name)) continue;
    report(['expect', name], `must be omitted: ${action} has a response body only`);
  }
}

const FORM_VALUE = 'must be a string, an array of strings, or null in a form';

const isFormValue = (value: unknown) =>
  value === null ||
  typeof value === 'string' ||
  (Array.isArray(value) && value.every((one) => typeof one === 'string'));

function checkFields(token: Members, report: Report): void {
  const { grant, format = documentedFormat(grant), fields } = token;
  if (format !== 'form' || !isJsonObject(fields)) return;
  for (const [name, value] of Object.entries(fields)) {
    if (!isFormValue(value)) report(['token', 'fields', name], FORM_VALUE);
  }
}

function checkBody(request: Members, report: Report): void {
  const [first, ...more] = ['form', 'json', 'text', 'body_base64'].filter(
    (name) => request[name] !== undefined,
  );
  for (const other of more) {
    report(['request', other], `must not be combined with ${first ?? ''}: a request has one body`);
  }
}

/** A replayed proof cannot be changed, and a request has only one proof. */
function checkProof(order: Members, action: ActionName, report: Report): void {
  const { dpop, headers } = order;
  if (dpop === undefined) return;
  const names = Array.isArray(headers)
    ? headers.map((pair: unknown) => String([pair].flat()[0]))
    : Object.keys(membersOf(headers));
  const header = names.find((name) => name.toLowerCase() === 'dpop');
  if (header !== undefined) report([action, 'headers', header], 'must be omitted beside dpop');
  if (!isJsonObject(dpop) || dpop['replay'] === undefined) return;
  for (const name of Object.keys(dpop)) {
    if (name === 'replay') continue;
    report(
      [action, 'dpop', name],
      'must not be combined with replay: that proof is sent unchanged',
    );
  }
}

/** Runs in addition to the schema, so that all problems are reported together; a step may be incomplete. */
function checkStep(step: unknown, ctx: z.core.$RefinementCtx): void {
  if (!isJsonObject(step)) return;
  const report: Report = (path, message) => {
    ctx.addIssue({ code: 'custom', path: [...path], message });
  };
  const action = actionOf(step, report);
  if (action === null) return;
  checkAnswer(step, action, report);
  const order = step[action];
  if (isJsonObject(order)) checkProof(order, action, report);
  if (isJsonObject(step['token'])) checkFields(step['token'], report);
  if (isJsonObject(step['request'])) checkBody(step['request'], report);
}

const MOST_STEPS = 1000;

const times = whole(1, MOST_REPEATED.count);

const repeat = described(
  z.union(
    [
      times,
      z.strictObject(
        {
          times,
          parallel: optional(
            whole(1, MOST_REPEATED.parallel),
            'The number of concurrent requests; 1 by default.',
          ),
          per_second: optional(
            whole(1, MOST_REPEATED.per_second),
            'The number of requests started per second; unlimited by default.',
          ),
          until: optional(whole(100, 599), 'Stops after the first response with this HTTP status.'),
        },
        object,
      ),
    ],
    'must be a whole number from 1 to 10000, or an object with times',
  ),
  'How many times to repeat the step; every response must match. An object also sets concurrency and rate, and its responses are counted: see expect.statuses.',
);

/** The member of each action; a step has one of them. */
const ACTION_MEMBERS = Object.fromEntries(
  ACTION_NAMES.map((name) => [name, z.optional(ACTIONS[name].schema as z.ZodMiniType)]),
) as { [A in ActionName]: z.ZodMiniOptional<(typeof ACTIONS)[A]['schema']> };

const step = z
  .strictObject(
    {
      name: z.optional(text.check(z.maxLength(200, 'must be at most 200 characters'))),
      ...ACTION_MEMBERS,
      repeat: z.optional(repeat),
      expect: z.optional(expectation),
      save: z.optional(saved),
    },
    object,
  )
  .check(
    z.superRefine(checkStep, { when: () => true }),
    z.meta({ oneOf: ACTION_NAMES.map((action) => ({ required: [action] })) }),
  );

const workspacePart = strictRecord(
  {
    clients: z.optional(z.array(clientSchema, 'must be an array')),
    users: z.optional(z.array(userSchema, 'must be an array')),
    audiences: z.optional(z.array(audienceSchema, 'must be an array')),
    apis: z.optional(z.array(apiSchema, 'must be an array')),
    settings: z.optional(settingsSchema),
    shape: z.optional(shapeSchema),
  },
  'Members that replace those of the demo workspace; settings are merged.',
);

export const scenarioSchema = z
  .strictObject(
    {
      $schema: z.optional(text),
      format: z.literal(SCENARIO_FORMAT, `must be "${SCENARIO_FORMAT}"`),
      version: z.literal(1, 'must be 1: the only scenario format that this release supports'),
      name: text.check(
        z.minLength(1, 'must not be empty'),
        z.maxLength(200, 'must be at most 200 characters'),
      ),
      description: z.optional(text),
      workspace: z.optional(workspacePart),
      steps: z
        .array(step, 'must be an array')
        .check(
          z.minLength(1, 'must have at least one step'),
          z.maxLength(MOST_STEPS, `must have at most ${MOST_STEPS} steps`),
        ),
    },
    object,
  )
  .check(z.meta({ $defs: MATCHERS_DEFINITION }));

/** The document as written, without defaults. */
type Written = z.input<typeof scenarioSchema>;

export type ScenarioStep = Written['steps'][number];
export type Scenario = Omit<Written, 'steps'> & { readonly steps: readonly ScenarioStep[] };
export type ScenarioWorkspace = NonNullable<Scenario['workspace']>;
export type Expectation = NonNullable<ScenarioStep['expect']>;
