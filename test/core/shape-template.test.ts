// The templates of provider shapes: references, texts, omitted members, and bounds.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../src/core/records/problems.ts';
import type { User } from '../../src/core/records/schemas.ts';
import type { Facts, FactsContext } from '../../src/core/shape/facts.ts';
import { FACTS } from '../../src/core/shape/facts.ts';
import { compileTemplate, MAX_FILLED_BYTES } from '../../src/core/shape/template.ts';
import { jsonBytes } from '../../src/core/collections/weight.ts';

const ada: User = {
  sub: 'ada',
  name: 'Ada Example',
  email: '',
  password: null,
  claims: { department: 'R&D', __proto__: 1 },
  groups: ['staff', 'all'],
};

const facts: Facts = {
  sha256: () => 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
  issuer: 'https://as.test',
  parameters: { tenant: 't1' },
  user: ada,
  scope: 'openid profile',
  iat: 100,
  now: Date.UTC(2026, 2, 1, 10),
};

function compile(template: Record<string, unknown>, context: FactsContext = 'claims') {
  const problems: Problem[] = [];
  const compiled = compileTemplate(template, 't', { context, parameters: ['tenant'], problems });
  return { compiled, problems };
}

function filled(template: Record<string, unknown>, known: Facts = facts) {
  const { compiled, problems } = compile(template);
  expect(problems).toEqual([]);
  return compiled.fill(known).members;
}

describe('behaviour 12.5: filling a template', () => {
  it('replaces a reference by its value, and a text with references by a text', () => {
    expect(
      filled({
        list: { $from: 'user.groups' },
        number: { $from: 'token.iat' },
        text: '{user.name} of {parameters.tenant}, {{braced}}',
        claim: { $from: 'user.claims.department' },
        fixed: [1, true, 'x'],
        deep: { a: { b: { $from: 'user.sub' } } },
      }),
    ).toEqual({
      list: ['staff', 'all'],
      number: 100,
      text: 'Ada Example of t1, {braced}',
      claim: 'R&D',
      fixed: [1, true, 'x'],
      deep: { a: { b: 'ada' } },
    });
  });

  it('omits unknown and empty values, and objects and lists that become empty', () => {
    expect(
      filled({
        email: { $from: 'user.email' },
        text: 'mailto:{user.email}',
        roles: { $from: 'roles' },
        access: { roles: { $from: 'roles' } },
        list: [{ $from: 'roles' }],
        list_text: 'in {user.groups}',
        inherited: { $from: 'user.claims.toString' },
        kept: {},
      }),
    ).toEqual({ kept: {} });
  });

  it('includes a value with $scope only if the scope was granted', () => {
    const template = {
      name: { $from: 'user.name', $scope: 'profile' },
      verified: { $value: true, $scope: 'email' },
    };
    expect(filled(template)).toEqual({ name: 'Ada Example' });
    expect(filled(template, { ...facts, scope: 'email' })).toEqual({ verified: true });
    expect(filled(template, { ...facts, scope: undefined })).toEqual({});
  });

  it('removes a member that is null', () => {
    const { compiled } = compile({ scope: null, scp: 'x' });
    expect(compiled.fill(facts)).toMatchObject({ members: { scp: 'x' }, removed: ['scope'] });
  });

  it('derives a UUID from a digest: constant for each user, in the form of RFC 9562', () => {
    const { id } = filled({ id: { $from: 'user.uuid' } });
    expect(id).toBe('9f86d081-884c-8d65-9a2f-eaa0c55ad015');
  });
});

describe('behaviour 12.5: names are checked when a shape is set', () => {
  it.each([
    [{ a: { $from: 'user.phone' } }, 't.a.$from', 'references "user.phone", which does not exist'],
    [{ a: 'x{nobody}' }, 't.a', 'references "nobody", which does not exist'],
    [{ a: 'x{' }, 't.a', 'has a { without a }; write {{ for a literal brace'],
    [{ a: 'x}' }, 't.a', 'has a } without a {; write }} for a literal brace'],
    [
      { a: { $from: 'error.code' } },
      't.a.$from',
      'references error.code, which is not available here',
    ],
    [
      { a: { $from: 'parameters.realm' } },
      't.a.$from',
      'references "parameters.realm", which does not exist',
    ],
    [
      { a: { $from: 'constructor' } },
      't.a.$from',
      'references "constructor", which does not exist',
    ],
    [{ a: { $from: 1 } }, 't.a.$from', 'must be a string'],
    [{ a: { $from: 'scope', $scope: '' } }, 't.a.$scope', 'must be the name of a scope'],
    [
      { a: { $from: 'scope', b: 1 } },
      't.a',
      'must have either $from or $value, and no other member except $scope',
    ],
    [
      { a: { $if: 1 } },
      't.a',
      'must have either $from or $value, and no other member except $scope',
    ],
    [{ a: [['{x}']] }, 't.a[0][0]', 'references "x", which does not exist'],
    [{ a: 'x'.repeat(2001) }, 't.a', 'must be at most 2000 characters'],
  ])('%j', (template, path, message) => {
    expect(compile(template).problems).toEqual([{ path, message }]);
  });

  it('every name can be evaluated with only the time known', () => {
    const bare = { ...facts, user: undefined, scope: undefined, iat: undefined };
    for (const { read } of Object.values(FACTS)) expect(() => read(bare)).not.toThrow();
  });
});

describe('behaviour 12.5: bounds', () => {
  it('members that exceed a bound are omitted and reported', () => {
    const large: User = { ...ada, claims: { big: 'x'.repeat(40_000) } };
    const members = { a: '{user.claims.big}', b: '{user.claims.big}', c: 'small' };
    const { compiled } = compile(members);
    const { members: kept, exceeded } = compiled.fill({ ...facts, user: large });
    expect(Object.keys(kept)).toEqual(['a', 'c']);
    expect(exceeded).toBe(true);
  });

  it('property: any JSON is filled in or reported as a problem, and never exceeds its bound', () => {
    const name = fc.constantFrom(
      'user.sub',
      'user.claims.department',
      'scopes',
      'groups',
      'nobody',
    );
    const text = fc.oneof(
      fc.string({ maxLength: 20 }),
      name.map((one) => `a{${one}}b`),
      fc.constantFrom('{', '}', '{{', '}}', '{}', '{user.sub'),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.record({ $from: fc.oneof(name, text) }),
        fc.record({ $value: tie('value'), $scope: text }),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(text, fc.constant('__proto__')), tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(text, value, { maxKeys: 5 }), (template) => {
        const { compiled, problems } = compile(template);
        for (const { path, message } of problems) {
          expect(path.startsWith('t')).toBe(true);
          expect(message.length).toBeLessThan(200);
        }
        const result = compiled.fill(facts);
        expect(jsonBytes(result.members)).toBeLessThanOrEqual(MAX_FILLED_BYTES + 40_000);
        expect(() => JSON.stringify(result.members)).not.toThrow();
        expect(Object.getPrototypeOf(result.members)).toBe(Object.prototype);
      }),
    );
  });
});
