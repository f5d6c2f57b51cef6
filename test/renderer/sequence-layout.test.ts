// Labels of the sequence diagram in the space between their lanes, measured at a fixed width for each character.

import { expect, test } from 'vitest';
import { laneHeads, placeMessages, type Measure } from '../../src/renderer/sequence/layout.ts';
import type { Message } from '../../src/renderer/sequence/message.ts';

const measure: Measure = (text) => 7 * text.length;

const MESSAGE: Message = {
  id: 1,
  at: '2026-01-01T00:00:00.000Z',
  from: 0,
  to: 1,
  request: '',
  reply: '200',
  tone: 'ok',
  notes: [],
  rejected: false,
};

function labelsOf(request: string): string[] {
  const { placed } = placeMessages([{ ...MESSAGE, request }], laneHeads(600, measure), measure);
  return placed
    .flatMap(({ texts }) => texts.map(({ text }) => text))
    .filter((one) => one !== '200');
}

test('a path that is cut keeps its last segment, which tells the endpoints of a provider apart', () => {
  const place = '/5a4db0c5-0000-4000-8000-000000000001/oauth2/v2.0';
  expect(labelsOf(`POST ${place}/token`)).toEqual(['POST', '/5a4db0c5-0000…/token']);
  expect(labelsOf(`GET ${place}/authorize`)).toEqual(['GET', '/5a4db0c5-…/authorize']);
});

test('a path whose last segment does not fit is cut at its end, and so is other text', () => {
  expect(labelsOf(`GET /register/${'c'.repeat(40)}`)).toEqual(['GET', '/register/cccccccccc…']);
  expect(labelsOf('unbreakable'.repeat(9))).toEqual(['unbreakableunbreakab…']);
  expect(labelsOf('GET /userinfo')).toEqual(['GET /userinfo']);
});

test('when the name of one lane does not fit its box, the names of all are small', () => {
  const sizeAt = (width: number) => laneHeads(width, measure).small;
  expect([340, 900].map(sizeAt)).toEqual([true, false]);
  expect(laneHeads(340, measure).names).toContainEqual(['Token', 'service']);
});
