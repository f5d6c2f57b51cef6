// A user as edited in the form.

import { expect, test } from 'vitest';
import type { User } from '../../src/control/schemas.ts';
import {
  draftOf,
  duplicateOf,
  freeSub,
  newDraft,
  NO_PASSWORD,
  passwordMember,
  problemsOf,
  userOf,
} from '../../src/renderer/views/users/UsersView.tsx';

const ada: User = {
  sub: 'ada',
  name: 'Ada',
  email: 'ada@example.test',
  has_password: true,
  claims: { role: 'admin' },
};
const named = (...subs: string[]) => subs.map((sub) => ({ ...ada, sub }));

test('the draft of a user converts back to the same user', () => {
  const { has_password: _, ...members } = ada;
  expect(userOf(draftOf(ada))).toEqual(members);
  expect(problemsOf(draftOf(ada))).toEqual({});
});

test('a password is sent only to set or remove it, and is never shown again in the form', () => {
  const draft = draftOf(ada);
  expect(passwordMember(draft)).toEqual({});
  const typed = { ...draft, password: 'correct horse' };
  expect(passwordMember(typed)).toEqual({ password: 'correct horse' });
  expect({ ...typed, ...NO_PASSWORD }).toEqual(draft);
  expect(passwordMember({ ...typed, without_password: true })).toEqual({ password: null });
  expect(Object.keys(problemsOf({ ...draft, password: 'a\nb' }))).toEqual(['password']);
});

test('a new user requires a subject', () => {
  expect(Object.keys(problemsOf(newDraft()))).toEqual(['sub']);
});

test('a copy has another subject and the same claims', () => {
  expect(duplicateOf(ada, [ada])).toEqual({
    ...draftOf(ada),
    sub: 'ada-2',
    name: 'Ada (copy)',
  });
  expect(duplicateOf({ ...ada, name: '' }, [ada]).name).toBe('');
});

test('a free subject continues the numbers of existing subjects', () => {
  expect(freeSub('ada', named('ada'))).toBe('ada-2');
  expect(freeSub('ada', named('ada', 'ada-2', 'ada-3'))).toBe('ada-4');
  expect(freeSub('ada-2', named('ada', 'ada-2'))).toBe('ada-3');
});

test.each([
  ['a comma too many', '{\n  "role": "admin",\n}', /Line 3 is not JSON: /],
  ['cut JSON', '{"role": ', /Line 1 is not JSON: expected a value, found the end of the text/],
  ['a member twice', '{\n  "role": 1,\n  "role": 2\n}', /Line 3: “role” is present more than once/],
  ['a registered name', '{"iss": "https://other.example"}', /Line 1: “iss”/],
  ['a non-object', '[1, 2]', /The claims must be a JSON object/],
  ['a null', '{\n  "role": null\n}', /Line 2: “role” is null/],
])('claims with %s are reported at their field', (_, claims, message) => {
  const problems = problemsOf({ ...draftOf(ada), claims });
  expect(Object.keys(problems)).toEqual(['claims']);
  expect(problems['claims']).toMatch(message);
});
