// The list of exchanges: what it shows, in which order, and what is exported from it.

import { describe, expect, it } from 'vitest';
import type { ExchangeSummary, Sender } from '../../src/control/schemas.ts';
import { NO_EXCHANGES, withMore } from '../../src/renderer/connection/exchange-window.ts';
import {
  facetsOf,
  isFiltered,
  NO_FILTER,
  predicateOf,
  withValue,
  type Column,
  MARKS,
  marksOf,
} from '../../src/renderer/views/traffic/filter.ts';
import {
  documentPart,
  documentText,
  exportExchanges,
  stopExport,
} from '../../src/renderer/views/traffic/exports.ts';
import { numberRanges, readNumber } from '../../src/renderer/views/traffic/number-ranges.ts';
import {
  allNumbers,
  countWords,
  endWords,
  createRows,
  numbersBetween,
  type Row,
} from '../../src/renderer/views/traffic/rows.ts';
import { requestOf } from '../../src/renderer/views/traffic/traffic-actions.ts';
import {
  afterReset,
  cleared,
  following,
  paused,
  pinnedIn,
  pinToggled,
  rowsFor,
  scrolled,
  selectedOnly,
  selectedTo,
  selectionToggled,
  STARTING,
  traffic,
  withOlder,
  withSequence,
} from '../../src/renderer/views/traffic/traffic-state.ts';
import { harEntry, harOf } from '../../src/engine/exchanges/har.ts';
import { exchangeMessage } from '../../src/renderer/sequence/message.ts';
import { profileReach } from '../../src/renderer/ui/short-forms.ts';
import { exchangeOf, exchangeSummary } from '../support/exchanges.ts';

const fault = { id: 'f', name: 'Slow down', what: 'Sent 503 without evaluating the request.' };

const TRAFFIC: readonly ExchangeSummary[] = [
  exchangeSummary({ number: 1 }),
  exchangeSummary({
    number: 2,
    method: 'GET',
    path: '/livez?x=1',
    client_id: null,
    grant_type: null,
    sent_by: 'command_line',
  }),
  exchangeSummary({
    number: 3,
    status: 400,
    error: 'invalid_grant',
    cause: 'used at 10:02:11 by exchange 1',
    deviations: 2,
  }),
  exchangeSummary({
    number: 4,
    status: 429,
    error: 'too_many_requests',
    throttled: true,
    sent_by: 'scenario',
  }),
  exchangeSummary({
    number: 5,
    status: 0,
    client_id: 'checkout',
    fault,
    advisories: 1,
    retry_of: 4,
  }),
];
const WINDOW = withMore(NO_EXCHANGES, TRAFFIC);

const shown = (text: string, columns: Partial<Record<Column, string[]>> = {}) => {
  const filter = { text, columns: { ...NO_FILTER.columns, ...columns } };
  return allNumbers(createRows(predicateOf(filter))(WINDOW));
};

describe('the filter', () => {
  it('shows all exchanges, newest first, when it is empty', () => {
    expect(shown('  ')).toEqual([5, 4, 3, 2, 1]);
    expect(predicateOf(NO_FILTER)).toBeNull();
    expect(isFiltered(NO_FILTER)).toBe(false);
  });

  it.each([
    ['invalid_grant', [3]],
    ['USED AT', [3]],
    ['#4', [4]],
    ['livez', [2]],
    ['get /livez', [2]],
    ['checkout', [5]],
    ['advisory', [5]],
    ['slow', [5]],
    ['scenario', [4]],
    ['-command -scenario', [5, 3, 1]],
    ['429', [4]],
    ['post refresh -checkout -invalid', [4, 1]],
    ['-', [5, 4, 3, 2, 1]],
    ['nothing like it', []],
  ])('matches the text "%s"', (text, numbers) => {
    expect(shown(text)).toEqual(numbers);
  });

  it.each([
    ['status', ['4xx'], [4, 3]],
    ['status', ['none', '2xx'], [5, 2, 1]],
    ['error', ['invalid_grant'], [3]],
    ['client', ['checkout'], [5]],
    ['sender', ['app'], [5, 3, 1]],
    ['sender', ['command_line', 'scenario'], [4, 2]],
    ['request', ['GET /livez'], [2]],
    ['mark', ['throttled', 'fault'], [5, 4]],
    ['mark', ['deviation'], [3]],
    ['mark', ['over_fetch'], [5]],
    ['mark', ['retry'], [5]],
  ] as const)('matches the column %s in %j', (column, values, numbers) => {
    expect(shown('', { [column]: [...values] })).toEqual(numbers);
  });

  it('requires all columns and the text to match', () => {
    expect(shown('demo-app', { status: ['4xx'], mark: ['throttled'] })).toEqual([4]);
  });

  it('adds and removes a value', () => {
    const once = withValue(NO_FILTER, 'status', '4xx');
    expect(once.columns.status).toEqual(['4xx']);
    expect(isFiltered(once)).toBe(true);
    expect(withValue(once, 'status', '4xx')).toEqual(NO_FILTER);
  });

  it('offers the values of a column, most frequent first, and its selected values', () => {
    expect(facetsOf(TRAFFIC, 'client', ['gone'], 10)).toEqual([
      { value: 'demo-app', count: 3 },
      { value: 'checkout', count: 1 },
      { value: 'gone', count: 0 },
    ]);
    expect(facetsOf(TRAFFIC, 'status', [], 10).map(({ value }) => value)).toEqual([
      '2xx',
      '4xx',
      'none',
    ]);
  });
});

describe('rows', () => {
  const many = withMore(
    NO_EXCHANGES,
    Array.from({ length: 2000 }, (_, index) => exchangeSummary({ number: index + 1 })),
  );
  const even = createRows(({ number }) => number % 2 === 0);

  it('are found by index and by number', () => {
    const rows = even(many);
    expect(rows.size).toBe(1000);
    expect([rows.at(0)?.number, rows.at(999)?.number, rows.at(1000)]).toEqual([2000, 2, undefined]);
    for (const index of [0, 1, 500, 999]) {
      expect(rows.indexOf(rows.at(index)!.number)).toBe(index);
    }
    expect([rows.indexOf(3), rows.indexOf(4000), rows.indexOf(0)]).toEqual([-1, -1, -1]);
  });

  it('are computed once for each chunk', () => {
    let looks = 0;
    const counting = createRows(() => {
      looks += 1;
      return true;
    });
    counting(many);
    const before = looks;
    counting(withMore(many, [exchangeSummary({ number: 2001 })]));
    expect(before).toBe(2000);
    expect(looks - before).toBeLessThan(300);
  });

  it('form a range in either direction', () => {
    const rows = even(many);
    expect(numbersBetween(rows, 3, 1)).toEqual([1998, 1996, 1994]);
    expect(numbersBetween(rows, 998, 5000)).toEqual([4, 2]);
    expect(allNumbers(createRows(null)(NO_EXCHANGES))).toEqual([]);
  });
});

describe('an exchange number', () => {
  it.each([
    ['41', 41],
    [' #41 ', 41],
    ['Grantbench-Exchange: 41', 41],
    ['grantbench-exchange=7', 7],
    ['0', null],
    ['', null],
    ['41a', null],
    ['-3', null],
    ['1234567890123456', null],
  ])('is read from "%s"', (text, number) => {
    expect(readNumber(text)).toBe(number);
  });

  it('is sent in ranges of limited size', () => {
    expect(numberRanges([3, 1, 2, 9, 3], 100)).toEqual(['1-3,9']);
    expect(numberRanges([1, 2, 3, 4, 5], 2)).toEqual(['1-2', '3-4', '5']);
    expect(numberRanges([], 100)).toEqual([]);
  });
});

it('every mark has a word and a sentence', () => {
  const marked = { throttled: true, fault, retry_of: 4, deviations: 1, advisories: 1 };
  const all = exchangeSummary({ number: 5, ...marked });
  expect(marksOf(all)).toEqual(['throttled', 'fault', 'retry', 'deviation', 'over_fetch']);
  expect(MARKS.retry.sentence(all)).toBe('Retry: repeats exchange #4, which failed');
  for (const mark of marksOf(all))
    expect(MARKS[mark].sentence(all)).toMatch(/^[A-Z][a-z -]+(?:“.+”)?: \w/);
  expect(marksOf(exchangeSummary())).toEqual([]);
});

it('behaviour 13.3: advice is for the app: Grantbench’s own requests have no marks or notes of it', () => {
  const notes = [
    { kind: 'over_fetch', text: 'Redundant.', section: 'spec 1.4', seconds_left: 90 },
    { kind: 'repeated_authorization', text: 'Unnecessary.', section: 'spec 1.4', seconds_left: 90 },
  ] as const;
  const sentBy = (sent_by: Sender) =>
    exchangeOf({ sent_by, advisories: 2, advisory_notes: [...notes] });
  const wordsFor = (sent_by: Sender) =>
    exchangeMessage(1, sentBy(sent_by)).notes.map(({ text }) => text);

  expect(wordsFor('app')).toEqual([
    'redundant token request: the previous token was still valid',
    'unnecessary re-authorization',
  ]);
  expect(marksOf(sentBy('app'))).toEqual(['over_fetch']);
  for (const own of ['workbench', 'command_line', 'scenario'] as const) {
    expect(wordsFor(own)).toEqual([]);
    expect(marksOf(sentBy(own))).toEqual([]);
  }
});

it.each([
  ['', []],
  ['', [null, null]],
  ['', [null, 'documented']],
  ['for 2 of 3 clients', [null, 'documented', 'strict']],
  ['for no client', ['strict']],
  ['for no client', ['strict', 'interop']],
] as const)(
  'the profile of the settings applies %s when the clients have %j',
  (words, profiles) => {
    const clients = profiles.map((profile) => ({ profile }));
    expect(profileReach(clients, 'documented')).toBe(words);
  },
);

describe('a request sent again', () => {
  it('is the same except for headers that the sender sets', () => {
    const exchange = exchangeOf({
      path: '/oauth/token?x=1',
      request: {
        headers: [
          ['Host', 'localhost:4280'],
          ['Content-Type', 'application/json'],
          ['X-A', '1'],
          ['X-A', '2'],
          ['Content-Length', '7'],
          ['Connection', 'keep-alive'],
        ],
        body: '{"a":1}',
      },
    });
    expect(requestOf(exchange)).toEqual({
      method: 'POST',
      path: '/oauth/token?x=1',
      headers: [
        ['Content-Type', 'application/json'],
        ['X-A', '1'],
        ['X-A', '2'],
      ],
      body: '{"a":1}',
    });
  });

  it('is rejected with a reason when it is incomplete', () => {
    const binary = { body: '/w==', body_encoding: 'base64', body_bytes: 1 } as const;
    expect(() => requestOf(exchangeOf({ number: 4, request: binary }))).toThrow(/4 is not text/);
    const cut = { body: 'é', body_bytes: 90 };
    expect(() => requestOf(exchangeOf({ request: cut }))).toThrow(/Only 2 of the 90 bytes/);
    expect(() => requestOf(exchangeOf({ number: 4, method: '-' }))).toThrow(
      /4 has no HTTP request/,
    );
  });
});

describe('the list', () => {
  const later = withMore(WINDOW, [exchangeSummary({ number: 6 })]);
  const shownIn = (state: typeof STARTING, live = later) =>
    allNumbers(rowsFor(state)(state.held ?? live));

  it('does not change while it is paused, and updates afterwards', () => {
    const still = paused(STARTING, WINDOW);
    expect(shownIn(still)).toEqual([5, 4, 3, 2, 1]);
    expect(scrolled(still, false, later)).toBe(still);
    expect(shownIn(following(still))).toEqual([6, 5, 4, 3, 2, 1]);
  });

  it('does not move while the user has scrolled down', () => {
    const away = scrolled(STARTING, true, WINDOW);
    expect(shownIn(away)).toEqual([5, 4, 3, 2, 1]);
    expect(scrolled(away, true, later)).toBe(away);
    expect(shownIn(scrolled(away, false, later))).toEqual([6, 5, 4, 3, 2, 1]);
    expect(scrolled(STARTING, false, later)).toBe(STARTING);
  });

  it('adds older exchanges even while it does not move', () => {
    const held = withMore(NO_EXCHANGES, TRAFFIC.slice(2));
    const still = withOlder(paused(STARTING, held), TRAFFIC.slice(0, 2));
    expect(shownIn(still)).toEqual([5, 4, 3, 2, 1]);
    expect(withOlder(STARTING, TRAFFIC)).toEqual(STARTING);
  });

  it('hides cleared exchanges, and can show them again', () => {
    const state = cleared(selectedOnly(paused(STARTING, WINDOW), 3), WINDOW);
    expect(shownIn(state)).toEqual([6]);
    expect(state).toMatchObject({ paused: false, active: null });
    expect(shownIn({ ...state, cleared: new Set() })).toEqual([6, 5, 4, 3, 2, 1]);
  });

  it('shows an exchange that was pending when the others were cleared, and hides older ones that load', () => {
    const known = withMore(NO_EXCHANGES, [TRAFFIC[1]!, TRAFFIC[4]!]);
    const state = cleared(STARTING, known);
    expect(shownIn(state, withMore(known, [TRAFFIC[2]!]))).toEqual([3]);
    const older = [TRAFFIC[0]!];
    expect(shownIn(withOlder(state, older), withMore(known, older))).toEqual([]);
  });

  it('shows pinned exchanges only at the top', () => {
    const state = pinToggled(STARTING, TRAFFIC[1]!);
    expect(state.pinned.map(({ number }) => number)).toEqual([2]);
    expect(shownIn(state)).toEqual([6, 5, 4, 3, 1]);
    expect(pinToggled(state, TRAFFIC[1]!).pinned).toEqual([]);
  });

  it('supports selecting one exchange, several exchanges and a range', () => {
    const rows = rowsFor(STARTING)(later);
    const one = selectedOnly(STARTING, 4);
    const range = selectedTo(one, rows, 2);
    expect([...range.selected]).toEqual([4, 3, 2]);
    expect([...selectedTo(range, rows, 6).selected]).toEqual([6, 5, 4]);
    const toggled = (row: Row) => [...selectionToggled(one, row).selected];
    expect(toggled(exchangeSummary({ number: 1 }))).toEqual([4, 1]);
    expect(toggled(exchangeSummary({ number: 4 }))).toEqual([]);
    const login = (number: number): Row => ({
      number,
      exchanges: [exchangeSummary({ number }), exchangeSummary({ number: 4 })],
    });
    expect(toggled(login(3))).toEqual([4, 3]);
    expect(toggled(login(4))).toEqual([]);
    expect([...selectedTo({ ...one, anchor: 900 }, rows, 2).selected]).toEqual([2]);
    expect(selectedOnly(one, 'login-1')).toMatchObject({ active: 'login-1', selected: new Set() });
  });

  it('drops exchanges after a reset, but keeps the filter, and goes on holding and exporting', () => {
    const kept = {
      filter: withValue(NO_FILTER, 'status', '4xx'),
      holding: 'Every request',
      exporting: { done: 200, total: 400 },
    };
    const state = { ...selectedOnly(paused(STARTING, WINDOW), 3), ...kept, cleared: new Set([2]) };
    expect(afterReset(state)).toEqual({ ...STARTING, ...kept });
  });
});

describe('an export', () => {
  it('does not end another one that is running', async () => {
    const exporting = { done: 200, total: 400 };
    traffic.setState({ exporting });
    expect(await exportExchanges([1], 'json', false)).toBe(false);
    expect(traffic.getState()).toMatchObject({ exporting });
    stopExport();
  });
});

describe('an export assembled from parts', () => {
  const numbered = (number: number) => harEntry(exchangeOf({ number }), 'http://localhost:4280');

  it('is one document with all its parts', () => {
    const parts = [harOf([numbered(1), numbered(2)], '1.0.0'), harOf([numbered(3)], '1.0.0')];
    const text = documentText(parts.map(documentPart)).join('');
    expect(JSON.parse(text)).toEqual(harOf([numbered(1), numbered(2), numbered(3)], '1.0.0'));
  });

  it('is one JSON document, even without exchanges', () => {
    const grantbench = { version: '1', exported_at: 'now', issuer: 'i', secrets: false };
    const document = { grantbench, exchanges: [exchangeOf({ number: 1 })] };
    expect(JSON.parse(documentText([documentPart(document)]).join(''))).toEqual(document);
    const none = { grantbench, exchanges: [] };
    expect(JSON.parse(documentText([documentPart(none)]).join(''))).toEqual(none);
  });
});

describe('a sequence of exchanges', () => {
  it('contains each exchange once, oldest first, and only the newest of many', () => {
    expect(withSequence(STARTING, [5, 2, 5, 3]).sequence).toEqual({
      of: 'chosen',
      numbers: [2, 3, 5],
      wanted: 3,
    });
    const many = Array.from({ length: 300 }, (_, index) => 300 - index);
    const { sequence } = withSequence(STARTING, many);
    expect(sequence).toMatchObject({ of: 'chosen', wanted: 300 });
    const numbers = sequence?.of === 'chosen' ? sequence.numbers : [];
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([200, 101, 300]);
  });

  it('ends with a reset', () => {
    expect(afterReset(withSequence(STARTING, [1])).sequence).toBeNull();
  });

  it('describes requests and responses, without redacted credentials', () => {
    const redacted = exchangeOf({
      request: { body: 'grant_type=refresh_token&refresh_token=[redacted]' },
      response: { body: '{"access_token":"[redacted]","token_type":"Bearer"}' },
    });
    expect(exchangeMessage(7, redacted)).toMatchObject({
      id: 7,
      request: 'POST /oauth/token · refresh token',
      reply: '200 access token',
    });
    const known = exchangeOf({ request: { body: 'refresh_token=abcdefghijklmnop' } });
    expect(exchangeMessage(8, known).request).toBe('POST /oauth/token · refresh token abc…op');
  });
});

it('while older exchanges are not loaded, a filtered list says how many were searched', () => {
  expect(countWords(47, 1000, 10_000)).toBe('47 of the newest 1,000 exchanges');
  expect(countWords(1000, 1000, 10_000)).toBe('1,000 of 10,000 exchanges');
  expect(countWords(47, 2000, 2000)).toBe('47 of 2,000 exchanges');
  expect(countWords(1, 1, 1)).toBe('1 exchange');
});

it('the end of the list says which exchanges are missing, and a pinned one that is no longer kept is not counted', () => {
  expect(endWords(4, 4, true)).toBe('End of list.');
  expect(endWords(4, 4, false)).toBe('End of list. Earlier exchanges are no longer kept.');
  expect(endWords(10_000, 20_000, false)).toBe('The page lists only the newest 10,000.');
  const state = { pinned: TRAFFIC.slice(0, 2) };
  expect(pinnedIn(withMore(NO_EXCHANGES, TRAFFIC.slice(1)), state)).toBe(1);
});
