// Rejections as sentences: a plain first word is capitalised, and quoted input stays as it is.

import { expect, test } from 'vitest';
import { problemSentence, sentence } from '../../src/renderer/ui/problems.ts';

test.each([
  ['colour', 'colour is not a known member', 'colour is not a known member.'],
  ['claims.tenant', 'claims.tenant must be JSON', 'claims.tenant must be JSON.'],
  ['redirect_uri', 'the callback is closed', 'The callback is closed.'],
  [null, 'there is no client "colour"', 'There is no client "colour".'],
])('a rejection of %s keeps the user’s input: %s', (field, message, shown) => {
  expect(problemSentence({ field, message })).toBe(shown);
});

test.each([
  ['demo-app is already registered', 'demo-app is already registered.'],
  ['http://localhost:3000 does not answer', 'http://localhost:3000 does not answer.'],
  ['must be an absolute URI', 'Must be an absolute URI.'],
])('only a plain first word is capitalised: %s', (message, shown) => {
  expect(sentence(message)).toBe(shown);
});
