// Parsing JSON text: the same values and errors as JSON.parse, but with positions.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addPart,
  createPart,
  isNestedTooDeeply,
  offsetOf,
  parseJsonText,
  readPlacedJson,
} from '../../src/core/records/json-text.ts';

function accepts(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('parseJsonText', () => {
  it('parses whatever JSON.parse parses', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(0, 2, '\t'), (text, indent) => {
        const formatted = JSON.stringify(JSON.parse(text), null, indent);
        fc.pre(!formatted.includes('__proto__'));
        expect(parseJsonText(formatted)).toEqual({ value: JSON.parse(formatted) });
      }),
    );
  });

  it('rejects exactly what JSON.parse rejects', () => {
    const characters = fc.constantFrom(...Array.from('{}[]",:0123456789.eE+-truefalsn\\u \n\t/'));
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 12 }), (text) => {
        const parsed = parseJsonText(text);
        const repeated = 'problems' in parsed && parsed.problems[0]?.path !== '';
        expect('value' in parsed || repeated).toBe(accepts(text));
      }),
      { numRuns: 5000 },
    );
  });

  it('reports the line and column of malformed text', () => {
    const text = '{\n  "a": [1, 2\n  "b": 3\n}';
    expect(parseJsonText(text)).toEqual({
      problems: [
        {
          path: '',
          message:
            'is not JSON: line 3, column 3: expected a comma or a closing bracket, found "\\""',
        },
      ],
    });
  });

  it.each([
    ['{"a": "b}', 'is not JSON: line 1, column 7: a string has no closing quote'],
    [
      '{"a\\q": 1}',
      'is not JSON: line 1, column 2: a string has a line break, a control character or a bad escape',
    ],
  ])('says what is wrong with a string: %s', (text, message) => {
    expect(parseJsonText(text)).toEqual({ problems: [{ path: '', message }] });
  });

  it('reports repeated members by their paths, after unescaping their names', () => {
    expect(parseJsonText('{"a":{"b":1,"\\u0062":2},"c":[{"d":1,"d":2}]}')).toEqual({
      problems: [
        { path: 'a.b', message: 'is present more than once' },
        { path: 'c[0].d', message: 'is present more than once' },
      ],
    });
  });

  it('rejects a member named __proto__', () => {
    expect(parseJsonText('{"a":{"__proto__":{"x":1}}}')).toEqual({
      problems: [{ path: 'a.__proto__', message: 'is not allowed as a member name' }],
    });
  });

  it('accepts a byte order mark and strings of any length', () => {
    const long = 'x"'.repeat(500_000);
    expect(parseJsonText(`\ufeff${JSON.stringify([long])}`)).toEqual({ value: [long] });
  });

  it('parses a string of 12 million escapes, over which a regular expression exhausts the stack', () => {
    const text = `"${'\\n'.repeat(12_000_000)}"`;
    const parsed = parseJsonText(text);
    expect('value' in parsed && parsed.value === JSON.parse(text)).toBe(true);
  });

  it('reports at most a hundred problems', () => {
    const parsed = parseJsonText(`{${'"a":1,'.repeat(10_000)}"b":1}`);
    expect('problems' in parsed && parsed.problems).toHaveLength(100);
  });

  it('rejects nesting that would exhaust the stack', () => {
    expect(parseJsonText('['.repeat(100_000))).toMatchObject({
      problems: [{ message: expect.stringMatching(/nested too deeply/) as string }],
    });
  });
});

describe('isNestedTooDeeply', () => {
  it.each([
    ['200 levels', '['.repeat(200) + ']'.repeat(200), false],
    ['201 levels', '['.repeat(201) + ']'.repeat(201), true],
    ['objects in arrays', '[{"a":'.repeat(101), true],
    ['many siblings', `[${'[],'.repeat(1000)}[]]`, false],
    ['brackets in a string', JSON.stringify('"['.repeat(1000)), false],
    ['a string that never ends', `"${'['.repeat(1000)}`, false],
    ['a million levels', '['.repeat(1_000_000), true],
  ])('%s: %#', (_, text, deep) => {
    expect(isNestedTooDeeply(text)).toBe(deep);
  });

  it('agrees with the parser', () => {
    const depth = fc.integer({ min: 195, max: 205 });
    fc.assert(
      fc.property(depth, fc.json({ maxDepth: 1 }), (levels, inner) => {
        const text = '['.repeat(levels) + inner + ']'.repeat(levels);
        fc.pre(!inner.includes('__proto__'));
        expect(isNestedTooDeeply(text)).toBe('problems' in parseJsonText(text));
      }),
    );
  });
});

describe('readPlacedJson', () => {
  const text = '{\n  "a": [\n    { "b c": 1,\n      "d": 2 }\n  ],\n  "a": 3\n}';

  it('gives the position of each member and entry, and the container of a missing member', () => {
    const { placeOf } = readPlacedJson('{\n  "a": [\n    { "b c": 1,\n      "d": {} }\n  ]\n}');
    expect(placeOf('a')).toEqual({ line: 2, column: 3 });
    expect(placeOf('a[0]')).toEqual({ line: 3, column: 5 });
    expect(placeOf('a[0]["b c"]')).toEqual({ line: 3, column: 7 });
    expect(placeOf('a[0].d')).toEqual({ line: 4, column: 7 });
    expect(placeOf('a[0].d.missing["x.y"][3]')).toEqual({ line: 4, column: 7 });
    expect(placeOf('a[7]')).toEqual({ line: 2, column: 3 });
    expect(placeOf('nothing')).toEqual({ line: 1, column: 1 });
  });

  it('continues after a repeated member, which has its last value', () => {
    const { value, problems, placeOf } = readPlacedJson(text);
    expect(value).toEqual({ a: 3 });
    expect(problems).toEqual([{ path: 'a', message: 'is present more than once' }]);
    expect(placeOf('a')).toEqual({ line: 6, column: 3 });
  });

  it('gives the position of malformed text', () => {
    const { value, problems, placeOf } = readPlacedJson('{\n  "a": 1\n  "b": 2\n}');
    expect(value).toBeUndefined();
    expect(problems[0]?.message).toMatch(/^is not JSON: expected a comma or a closing brace/);
    expect(placeOf('')).toEqual({ line: 3, column: 3 });
  });
});

describe('the positions of the parts', () => {
  it('omit the container of an empty value, since a file has millions of them', () => {
    const root = createPart(0);
    const list = addPart(root, 'list', 1);
    expect([addPart(list, 0, 9), addPart(list, 1, 11)]).toEqual([
      { offset: 9, members: null, entries: null },
      { offset: 11, members: null, entries: null },
    ]);
    // A Map cannot hold more than 2^24.
    expect(Array.isArray(list.entries)).toBe(true);
    expect(offsetOf(root, 'list[1]')).toBe(11);
  });

  it('distinguish an entry from a member of the same name', () => {
    const root = createPart(0);
    addPart(addPart(root, 'list', 10), 0, 11);
    addPart(addPart(root, 'object', 20), '0', 21);
    expect(offsetOf(root, 'list["0"]')).toBe(10);
    expect(offsetOf(root, 'object[0]')).toBe(20);
    expect(offsetOf(root, 'object["0"]')).toBe(21);
  });

  it('are those of the last value for a repeated member', () => {
    const root = createPart(0);
    addPart(addPart(root, 'a', 1), 0, 2);
    addPart(root, 'a', 5);
    expect(offsetOf(root, 'a[0]')).toBe(5);
  });
});
