// Behaviour 8: which rule applies to a request, how long it lasts, and what a rule may contain.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod/mini';
import type { DomainEvent } from '../../src/core/model/ports.ts';
import { FAULT_PRESETS } from '../../src/core/faults/presets.ts';
import { describeFault } from '../../src/core/faults/words.ts';
import { createFaults, type FaultTarget } from '../../src/core/faults/rules.ts';
import { fitsPattern } from '../../src/core/records/endpoints.ts';
import { type Fault, faultSchema, workspaceSchema } from '../../src/core/records/schemas.ts';
import { client, createTestService } from '../support/core.ts';
import { problems } from '../support/problems.ts';
import { words } from '../support/words.ts';

type Draft = Partial<z.input<typeof faultSchema>>;

function rule(members: Draft = {}): Fault {
  return faultSchema.parse({
    id: 'rule',
    when: 'instead',
    effect: { kind: 'drop' },
    ...members,
  });
}

function rules(...drafts: Draft[]) {
  const events: DomainEvent['type'][] = [];
  const faults = createFaults((event) => events.push(event.type));
  faults.replaceAll(drafts.map((draft, index) => rule({ id: `rule-${index}`, ...draft })));
  events.length = 0;
  return { faults, events };
}

const claims = { grant_type: 'refresh_token', client_id: 'demo-app' };

function request(members: Partial<FaultTarget> = {}): FaultTarget {
  return { path: '/oauth/token', method: 'POST', claims: () => claims, ...members };
}

describe('order', () => {
  test('behaviour 8.1: rules are tried in order, and the first match applies', () => {
    const { faults } = rules({ match: { path: '/userinfo' } }, {}, {});
    expect(faults.take(request())?.fault.id).toBe('rule-1');
  });

  test('behaviour 8: a rule that is switched off is skipped', () => {
    const { faults } = rules({ enabled: false }, {});
    expect(faults.take(request())?.fault.id).toBe('rule-1');
  });

  test('behaviour 8.1: rules with counts form a queue: 429 twice, a normal response once, then 503', () => {
    const answer = (status: number) => ({ kind: 'answer' as const, status });
    const { faults } = rules(
      { times: 2, effect: answer(429) },
      { times: 1, when: 'after', effect: { kind: 'truth' } },
      { times: 1, effect: answer(503) },
    );
    const met = Array.from({ length: 5 }, () => faults.take(request())?.fault.id ?? 'none');
    expect(met).toEqual(['rule-0', 'rule-0', 'rule-1', 'rule-2', 'none']);
  });

  test('control: a rule can be moved, and a position beyond the end means the end', () => {
    const { faults } = rules({}, {}, {});
    const order = () => faults.list().map(({ fault }) => fault.id);
    expect(faults.move('rule-2', 0)).toBe(true);
    expect(order()).toEqual(['rule-2', 'rule-0', 'rule-1']);
    expect(faults.move('rule-2', 99)).toBe(true);
    expect(order()).toEqual(['rule-0', 'rule-1', 'rule-2']);
    expect(faults.move('gone', 0)).toBe(false);
  });
});

describe('the match of a rule', () => {
  test.each([
    ['/oauth/token', '/oauth/token', true],
    ['/oauth/token', '/oauth/token/', false],
    ['/oauth/*', '/oauth/token', true],
    ['/oauth/*', '/oauth/', true],
    ['/oauth/*', '/authorize', false],
    ['/*', '/.well-known/jwks.json', true],
    ['/*.json', '/.well-known/jwks.json', true],
    ['/*/*.json', '/.well-known/jwks.json', true],
    ['/a*a', '/a', false],
    ['/a*a', '/aa', true],
    ['/*b*b', '/abcb', true],
    ['/*b*b', '/ab', false],
    ['/[a-z]+', '/abc', false],
  ])('behaviour 8: compares the pattern %s with the path %s', (pattern, path, fits) => {
    expect(fitsPattern(pattern, path)).toBe(fits);
  });

  test('behaviour 8.1: treats any pattern like the equivalent regular expression', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 12 });
    const path = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 12 });
    fc.assert(
      fc.property(text, path, (pattern, sample) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
        expect(fitsPattern(pattern, sample)).toBe(expression.test(sample));
      }),
    );
  });

  test.each<[string, Draft['match'], boolean]>([
    ['the path', { path: '/userinfo' }, false],
    ['the method', { method: 'GET' }, false],
    ['the grant', { grant_type: 'authorization_code' }, false],
    ['the client', { client_id: 'admin' }, false],
    ['one of two members', { grant_type: 'refresh_token', client_id: 'admin' }, false],
    ['nothing', { path: '/oauth/*', method: 'POST', ...claims }, true],
  ])('behaviour 8.1: fails when %s differs', (_what, match, hit) => {
    const { faults } = rules({ match });
    expect(faults.take(request()) !== null).toBe(hit);
  });

  test('behaviour 8: reads the parameters of a request only when a rule needs them', () => {
    const { faults } = rules({ match: { path: '/userinfo' } }, { match: { path: '/oauth/*' } });
    const asked = () => {
      throw new Error('asked');
    };
    expect(faults.take(request({ claims: asked }))?.fault.id).toBe('rule-1');
  });

  test('behaviour 8: includes preflights only for a rule that names OPTIONS', () => {
    const preflight = request({ method: 'OPTIONS' });
    expect(rules({ match: { path: '/oauth/token' } }).faults.take(preflight)).toBeNull();
    expect(rules({ match: { method: 'OPTIONS' } }).faults.take(preflight)).not.toBeNull();
  });

  test.each(['/', '/livez', '/readyz'])('behaviour 8: never includes %s', (path) => {
    const { faults } = rules({}, { match: { path: '/*' } });
    expect(faults.take(request({ path }))).toBeNull();
    expect(faults.list().map(({ hits }) => hits)).toEqual([0, 0]);
  });
});

describe('counts', () => {
  test('behaviour 8.2: hits are counted, and a limited rule counts down to zero', () => {
    const { faults } = rules({ times: 2 });
    faults.take(request());
    expect(faults.get('rule-0')).toMatchObject({ hits: 1, remaining: 1 });
    faults.take(request());
    expect(faults.take(request())).toBeNull();
    expect(faults.get('rule-0')).toMatchObject({ hits: 2, remaining: 0 });
  });

  test('control: a rule without a count lasts', () => {
    const { faults } = rules({ times: null });
    for (let index = 0; index < 5; index++) faults.take(request());
    expect(faults.get('rule-0')).toMatchObject({ hits: 5, remaining: null });
  });

  test('behaviour 8: a hit without anything to change is returned, so that the rule applies to the next request', () => {
    const { faults } = rules({ times: 1 });
    faults.take(request())?.giveBack();
    expect(faults.get('rule-0')).toMatchObject({ hits: 0, remaining: 1 });
    expect(faults.armed).toBe(true);
    expect(faults.take(request())).not.toBeNull();
  });

  test('behaviour 8: returning a hit after the rule was replaced does not change the new rule', () => {
    const { faults } = rules({ times: 1 });
    const taken = faults.take(request());
    faults.put(rule({ id: 'rule-0', times: 3 }));
    taken?.giveBack();
    expect(faults.get('rule-0')).toMatchObject({ hits: 1, remaining: 3 });
  });

  test('control: a replaced rule is armed again and keeps its position and its hits', () => {
    const { faults } = rules({ times: 1 }, {});
    faults.take(request());
    faults.put(rule({ id: 'rule-0', times: 1, name: 'again' }));
    expect(faults.list()[0]).toMatchObject({ hits: 1, remaining: 1, fault: { name: 'again' } });
    expect(faults.take(request())?.fault.id).toBe('rule-0');
  });

  test('control: a reset restores countdowns, hits and random sequences', () => {
    const { service } = createTestService();
    const { faults } = service;
    faults.put(rule({ times: 4, probability: 0.5, seed: 7 }));
    const run = () => Array.from({ length: 10 }, () => faults.take(request()) !== null);
    const first = run();
    service.reset();
    expect(faults.get('rule')).toMatchObject({ hits: 0, remaining: 4 });
    expect(run()).toEqual(first);
  });

  test('behaviour 8: nothing is armed without a rule that can match', () => {
    const { faults } = rules();
    expect(faults.armed).toBe(false);
    faults.put(rule({ enabled: false }));
    expect(faults.armed).toBe(false);
    faults.put(rule({ times: 1 }));
    expect(faults.armed).toBe(true);
    faults.take(request());
    expect(faults.armed).toBe(false);
    faults.rearm();
    expect(faults.armed).toBe(true);
    faults.remove('rule');
    expect(faults.armed).toBe(false);
  });

  test('control: viewers are notified of changed rules and of hits, with the rule’s id', () => {
    const { faults, events } = rules({});
    faults.take(request());
    faults.put(rule({ id: 'rule-0' }));
    faults.move('rule-0', 0);
    faults.remove('rule-0');
    faults.remove('rule-0');
    expect(events).toEqual(['fault_hit', 'faults', 'faults', 'faults']);
  });
});

describe('probability', () => {
  const choices = (seed: number, probability = 0.5) => {
    const { faults } = rules({ probability, seed });
    return Array.from({ length: 1000 }, () => faults.take(request()) !== null);
  };

  test('behaviour 8.2: the same seed gives the same choices, and another seed other choices', () => {
    expect(choices(1)).toEqual(choices(1));
    expect(choices(1)).not.toEqual(choices(2));
  });

  test.each([0.1, 0.5, 0.9])('behaviour 8: about %d of the requests are hit', (probability) => {
    const hits = choices(42, probability).filter(Boolean).length;
    expect(Math.abs(hits / 1000 - probability)).toBeLessThan(0.05);
  });

  test('behaviour 8: 0 hits none and 1 hits all', () => {
    expect(choices(1, 0)).not.toContain(true);
    expect(choices(1, 1)).not.toContain(false);
  });

  test('behaviour 8: only matching requests advance the random sequence', () => {
    const { faults } = rules({ probability: 0.5, seed: 1, match: { path: '/oauth/token' } });
    const mixed = Array.from({ length: 1000 }, () => {
      faults.take(request({ path: '/userinfo' }));
      return faults.take(request()) !== null;
    });
    expect(mixed).toEqual(choices(1));
  });
});

describe('the record of a rule', () => {
  const base = { id: 'a', when: 'instead', effect: { kind: 'drop' } };

  test('control: has defaults for omitted members', () => {
    expect(faultSchema.parse(base)).toEqual({
      id: 'a',
      name: '',
      enabled: true,
      when: 'instead',
      match: { path: null, method: null, grant_type: null, client_id: null },
      times: null,
      probability: 1,
      seed: 1,
      delay_ms: 0,
      effect: { kind: 'drop' },
    });
  });

  const ONLY_PATH = 'must not contain ? or #: only the path of a request is matched';
  const NOT_ASCII = 'must be visible ASCII: percent-encode other characters';
  const KINDS =
    'answer, drop, truth, cut, dribble, broken_json, wrong_content_type, expires_in, expired_token, unpublished_key, edit_json, edit_id_token, edit_authorization_response';
  const answer = (members: object) => ({ effect: { kind: 'answer', status: 200, ...members } });
  test.each([
    [{ match: { path: 'oauth/token' } }, 'match.path: must begin with /'],
    [{ match: { path: '' } }, 'match.path: must begin with /'],
    [{ match: { path: '/oauth/token?x=1' } }, `match.path: ${ONLY_PATH}`],
    [{ match: { path: '/a#b' } }, `match.path: ${ONLY_PATH}`],
    [{ match: { path: '/a b' } }, `match.path: ${NOT_ASCII}`],
    [{ match: { path: '/ä' } }, `match.path: ${NOT_ASCII}`],
    [{ match: { path: `/${'a'.repeat(200)}` } }, 'match.path: must be at most 200 characters'],
    [
      { match: { path: '/livez' } },
      'match.path: must not be one of /, /livez, /readyz: faults do not apply to these',
    ],
    [{ match: { method: 'post' } }, 'match.method: must be an HTTP method in capitals'],
    [{ match: [] }, 'match: must be a JSON object'],
    [{ when: 'before' }, 'when: must be one of instead, after'],
    [{ effect: { kind: 'cut' } }, 'when: must be after: cut changes the normal response'],
    [{ effect: { kind: 'truth' } }, 'when: must be after: truth changes the normal response'],
    [{ effect: { kind: 'explode' } }, `effect.kind: must be one of ${KINDS}`],
    [{ effect: {} }, `effect.kind: must be one of ${KINDS}`],
    [{ effect: 'drop' }, 'effect: must be a JSON object'],
    [{ effect: undefined }, 'effect: must be a JSON object'],
    [{ when: undefined }, 'when: must be one of instead, after'],
    [{ times: 0 }, 'times: must be at least 1'],
    [{ times: 1.5 }, 'times: must be a whole number'],
    [{ probability: 1.1 }, 'probability: must be at most 1'],
    [{ probability: -0.1 }, 'probability: must be at least 0'],
    [{ seed: -1 }, 'seed: must be at least 0'],
    [{ seed: 1.5 }, 'seed: must be a whole number'],
    [{ delay_ms: 300_001 }, 'delay_ms: must be at most 300000 ms'],
    [
      answer({ status: 101 }),
      'effect.status: must be at least 200: a lower one is not a final response (RFC 9110 15.2)',
    ],
    [answer({ status: undefined }), 'effect.status: must be a whole number'],
    [answer({ status: 600 }), 'effect.status: must be at most 599'],
    [
      answer({ status: 204, body: 'x' }),
      'effect.body: must be empty with status 204 (RFC 9110 6.4.1)',
    ],
    [answer({ headers: { a: 'b' } }), 'effect.headers: must be an array of pairs'],
    [answer({ headers: [['a']] }), 'effect.headers.0: must be a pair of name and value'],
    [
      answer({ headers: [['a b', 'c']] }),
      'effect.headers.0.0: must be a header name (RFC 9110 5.1)',
    ],
    [
      answer({ headers: [['Content-Length', '3']] }),
      'effect.headers.0.0: must not be a header that the server writes itself (framing, Date, Grantbench-Exchange)',
    ],
    [
      answer({ headers: [['X-A', 'b\r\nX-C: d']] }),
      'effect.headers.0.1: must contain only characters that a header may contain (RFC 9110 5.5)',
    ],
  ])('control: rejects %j with "%s"', (members, problem) => {
    expect(problems(faultSchema, { ...base, ...members })).toEqual([problem]);
  });

  test('control: has a unique id in a workspace, and problems have their path', () => {
    const faults = [base, base, { ...base, id: 'b', match: { path: 'x' } }];
    const found = problems(workspaceSchema, { version: 1, clients: [client()], faults });
    expect(found).toEqual(['faults.2.match.path: must begin with /', 'faults.1.id: repeats "a"']);
  });
});

describe('presets', () => {
  test.each(FAULT_PRESETS)(
    'behaviour 8: $id is a complete rule with a name, a description and a sentence that says what it did',
    ({ id, text, fault }) => {
      expect(faultSchema.safeParse({ id, ...fault }).error).toBeUndefined();
      expect(fault.name).not.toBe('');
      expect(describeFault(rule({ id, ...fault }))).toMatch(/^[A-Z].*\.$/);
      expect(text).toMatch(/\.$|\?$/);
    },
  );

  test('have unique names', () => {
    expect(new Set(FAULT_PRESETS.map(({ id }) => id)).size).toBe(FAULT_PRESETS.length);
    expect(new Set(FAULT_PRESETS.map(({ fault }) => fault.name)).size).toBe(FAULT_PRESETS.length);
  });

  test('behaviour 8: cover everything that behaviour 8 lists', () => {
    const after = words(
      'cut dribble broken_json wrong_content_type expires_in expired_token unpublished_key drop',
      'truth edit_json edit_id_token edit_authorization_response',
    );
    expect(FAULT_PRESETS.map(({ fault }) => `${fault.when} ${fault.effect.kind}`)).toEqual(
      expect.arrayContaining(['instead drop', ...after.map((kind) => `after ${kind}`)]),
    );
  });
});

describe('the description of a fault', () => {
  test.each<[Draft, string]>([
    [{ effect: { kind: 'answer', status: 503 } }, 'Sent 503 without evaluating the request.'],
    [
      { when: 'after', effect: { kind: 'answer', status: 504 } },
      'Evaluated the request, then sent 504 instead of the normal response.',
    ],
    [
      { effect: { kind: 'drop' }, delay_ms: 1500 },
      'Waited 1.5 s. Closed the connection without evaluating the request.',
    ],
    [
      { when: 'after', effect: { kind: 'truth' }, delay_ms: 250 },
      'Waited 250 ms. Sent the normal response late.',
    ],
    [{ when: 'after', effect: { kind: 'truth' } }, 'Sent the normal response.'],
    [
      { when: 'after', effect: { kind: 'cut', after_bytes: 12 } },
      'Closed the connection after 12 bytes of the body.',
    ],
  ])('behaviour 8: describes %j as "%s"', (draft, words) => {
    expect(describeFault(rule(draft))).toBe(words);
  });
});
