// The time of redaction is linear in the text, whatever its content, and hardly depends on the number of secrets.

import { expect, test } from 'vitest';
import { createKnownValues } from '../../src/redact/known-values.ts';
import { createRedactor } from '../../src/redact/redactor.ts';
import { worseThanLinear } from './growth.ts';

function redactorOf(count: number) {
  const known = createKnownValues();
  // The secrets share a prefix, so each of them is a candidate wherever one occurs.
  for (let index = 0; index < count; index += 1) known.add(`client-secret-${index}`);
  return createRedactor({ known, isIssued: () => false });
}

/** The least processor time of this process in milliseconds, which other processes do not affect. */
function cost(act: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 3; time += 1) {
    const begun = process.cpuUsage();
    act();
    const { user, system } = process.cpuUsage(begun);
    best = Math.min(best, (user + system) / 1000);
  }
  return Math.max(best, 0.5);
}

const filled = (unit: string, length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

const UNITS = [
  'a=b&',
  'field=value&scope=openid profile&',
  '"',
  '\\"',
  '{"a":',
  '{"code":[',
  '{"code":"a","b":["c"]},',
  "code='",
  'code=[',
  'code: ',
  'code   ',
  'name="code" ',
  'name="code"\r\n',
  'name="x" value="',
  'Basic ',
  'Basic\t=',
  'eyJ',
  'eyJa.',
  'eyJa.b.c ',
  '%',
  '%2525',
  '\\u005c',
  '&amp;',
  '&#x26;',
  '+',
  'client-secret-',
  'client-secret-1',
  'AbCd1234/',
  'state=0123456789012345678901234567890123456789012&',
  ' \t\r\n',
  '<code>',
  '?#/',
  'token_token_token-token',
];

test.each(UNITS)('repetitions of %j are redacted in linear time', async (unit) => {
  const redactor = redactorOf(100);
  const read = (text: string) =>
    Promise.resolve([
      redactor.requestBody(text),
      redactor.requestBody(`{"a":${JSON.stringify(text)}}`),
      redactor.responseBody(text),
      redactor.headerValue('X-Note', text),
      redactor.target(text),
      redactor.words(text),
    ]);
  expect(await worseThanLinear(read, { opening: '', unit, ending: '' })).toBeNull();
});

test('redaction with 10,000 secrets takes at most five times as long as with 100', () => {
  const text = filled(
    'grant_type=refresh_token&client_id=client-secret-&note=client-secret-7&',
    40_000,
  );
  const [few, many] = [redactorOf(100), redactorOf(10_000)];
  const read = (redactor: typeof few) => () => redactor.requestBody(text);
  expect(cost(read(many)) / cost(read(few))).toBeLessThan(5);
});
