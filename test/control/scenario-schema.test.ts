// The scenario format: its rules and its published JSON Schema.

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { jsonSchemaOf } from '../../scripts/scenario-schema.mjs';
import { scenarioSchema } from '../../src/scenario/schema.ts';
import { problemsOf } from '../../src/core/records/problems.ts';

const published: unknown = JSON.parse(
  readFileSync(new URL('../../resources/scenario.schema.json', import.meta.url), 'utf8'),
);

const scenario = (...steps: readonly unknown[]) => ({
  format: 'grantbench-scenario',
  version: 1,
  name: 'A scenario',
  steps: steps.length === 0 ? [{ issue_code: {} }] : steps,
});

function problemsIn(data: unknown): readonly string[] {
  const { error } = scenarioSchema.safeParse(data);
  return problemsOf(error?.issues ?? [], data).map(({ path, message }) => `${path} ${message}`);
}

const isValid = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  strictRequired: false,
  formats: { 'date-time': true },
}).compile(published as object);

describe('the published JSON Schema', () => {
  test('is generated from the schema that Grantbench uses: npm run scenario-schema', () => {
    expect(published).toEqual(JSON.parse(JSON.stringify(jsonSchemaOf(scenarioSchema))));
  });

  test.each([
    ['a step that does nothing', { name: 'nothing' }],
    ['a step that does two things', { issue_code: {}, clock: { frozen: true } }],
    ['an unknown member', { token: { grant: 'refresh_token', feilds: {} } }],
    ['an unknown matcher', { issue_code: {}, expect: { body: { code: { $tpye: 'string' } } } }],
  ])('rejects, like Grantbench, %s', (_what, step) => {
    expect(isValid(scenario(step))).toBe(false);
    expect(problemsIn(scenario(step))).not.toEqual([]);
  });

  test('accepts what Grantbench accepts', () => {
    const steps = [
      { clock: { frozen: true } },
      { fault: 'throttled_twice' },
      {
        authorize: { parameters: { scope: 'openid', state: null } },
        save: { first: 'redirect.code' },
      },
      {
        token: { grant: 'authorization_code', fields: { code: '{{first}}', nonsense: [1, 2] } },
        repeat: 3,
        expect: {
          status: { $at_least: 200, $at_most: 299 },
          body: { $only: { access_token: { $matches: '^ey' }, scope: { $absent: true } } },
          claims: { aud: ['{{issuer}}'] },
        },
      },
    ];
    expect(problemsIn(scenario(...steps))).toEqual([]);
    expect(isValid(scenario(...steps)), JSON.stringify(isValid.errors)).toBe(true);
  });
});

describe('the problems of a scenario', () => {
  test('are reported all at once, by path', () => {
    const data = {
      ...scenario(
        { tokn: {} },
        { token: { grant: 1 }, request: { path: 'x' } },
        { clock: { advance_seconds: 1 }, expect: {}, save: {} },
        { issue_code: {}, expect: { status: 200, body: { code: { $matches: '(' } } } },
      ),
      versoin: 1,
      workspace: { settings: { profile: 'stict' } },
    };
    expect(problemsIn(data)).toEqual([
      expect.stringMatching(/^workspace\.settings\.profile must be one of documented/),
      'steps[0].tokn is not a known member',
      expect.stringMatching(/^steps\[0\] must have one of issue_code, issue_tokens, authorize/),
      'steps[1].token.grant must be a string',
      'steps[1].request.path must begin with /',
      'steps[1].request must not be combined with token: a step has one action',
      'steps[2].expect must be omitted: clock has no response',
      'steps[2].save must be omitted: clock has no response',
      'steps[3].expect.body.code.$matches must be a regular expression (JavaScript, with the flag u)',
      'steps[3].expect.status must be omitted: issue_code has a response body only',
      'versoin is not a known member',
    ]);
  });

  test.each([
    [{ fields: { code: 7 }, format: 'form' }, 'token.fields.code must be a string, an array'],
    [{ grant: 'refresh_token', fields: { x: { a: 1 } } }, 'token.fields.x must be a string'],
    [
      { client_auth: 'header' },
      'token.client_auth must be one of body, basic, client_secret_jwt, private_key_jwt, none',
    ],
  ])('include those of a token request: %j', (token, problem) => {
    const [reported] = problemsIn(scenario({ token: { grant: 'authorization_code', ...token } }));
    expect(reported).toContain(`steps[0].${problem}`);
  });

  test.each([
    [{ $type: 'text' }, '$type must be one of string, integer'],
    [{ $at_least: '1' }, '$at_least must be a number'],
    [{ $absent: false }, '$absent must be true'],
    [{ $any: [] }, '$any must be an array with at least one entry'],
    [{ $not: { $type: 'x' } }, '$not.$type must be one of'],
    [{ $type: 'string', code: 1 }, 'code must not be combined with a matcher'],
  ])('include those of a matcher: %j', (body, problem) => {
    const [reported] = problemsIn(scenario({ issue_code: {}, expect: { body } }));
    expect(reported).toContain(`steps[0].expect.body.${problem}`);
  });

  test('include a second body and an invalid saved name', () => {
    const step = {
      request: { path: '/', form: {}, text: '' },
      save: { 'a-b': 'body.x', c: 'cause' },
    };
    expect(problemsIn(scenario(step))).toEqual([
      'steps[0].save.a-b must be a name of letters, digits and _',
      expect.stringMatching(/^steps\[0\]\.save\.c must be status, or a path/),
      'steps[0].request.text must not be combined with form: a request has one body',
    ]);
  });
});
