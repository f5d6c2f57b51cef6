// A user as the form holds it.

import { expect, test } from 'vitest';
import type { User } from '../../src/control/schemas.ts';
import {
  draftOf,
  duplicateOf,
  freeSub,
  newDraft,
  passwordMember,
  problemsOf,
  userOf,
  withoutPassword,
} from '../../src/renderer/views/users/user-draft.ts';

const ada: User = {
  ...{ sub: 'ada', name: 'Ada', email: 'ada@example.test' },
  has_password: true,
  claims: { role: 'admin' },
};
const named = (...subs: string[]) => subs.map((sub) => ({ ...ada, sub }));

test('the draft of a user is that user again', () => {
  const { has_password: _, ...members } = ada;
  expect(userOf(draftOf(ada))).toEqual(members);
  expect(problemsOf(draftOf(ada))).toEqual({});
});

test('a password is sent only when it is to be set or taken away, and never stands in the form again', () => {
  const draft = draftOf(ada);
  expect(passwordMember(draft)).toEqual({});
  const typed = { ...draft, password: 'correct horse' };
  expect(passwordMember(typed)).toEqual({ password: 'correct horse' });
  expect(withoutPassword(typed)).toEqual(draft);
  expect(passwordMember({ ...typed, without_password: true })).toEqual({ password: null });
  expect(Object.keys(problemsOf({ ...draft, password: 'a\nb' }))).toEqual(['password']);
});

test('a new one wants a subject', () => {
  expect(Object.keys(problemsOf(newDraft()))).toEqual(['sub']);
});

test('a copy is another subject with the same claims', () => {
  expect(duplicateOf(ada, [ada])).toEqual({
    ...draftOf(ada),
    sub: 'ada-2',
    name: 'Ada (copy)',
  });
  expect(duplicateOf({ ...ada, name: '' }, [ada]).name).toBe('');
});

test('a free subject is counted on from what is there', () => {
  expect(freeSub('ada', named('ada'))).toBe('ada-2');
  expect(freeSub('ada', named('ada', 'ada-2', 'ada-3'))).toBe('ada-4');
  expect(freeSub('ada-2', named('ada', 'ada-2'))).toBe('ada-3');
});

test.each([
  ['no JSON', '{"role": ', /Line 1/],
  ['no object', '[1]', /claims/i],
  ['a registered name', '{"iss": "x"}', /“iss”/],
  ['a null', '{"role": null}', /“role” is null/],
])('claims with %s are told at their field', (_, claims, message) => {
  const problems = problemsOf({ ...draftOf(ada), claims });
  expect(Object.keys(problems)).toEqual(['claims']);
  expect(problems['claims']).toMatch(message);
});
