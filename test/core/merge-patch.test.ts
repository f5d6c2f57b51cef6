import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergePatch, patchBetween } from '../../src/core/records/merge-patch.ts';

/** RFC 7396, Appendix A: original, patch, result. */
const CASES: readonly (readonly [unknown, unknown, unknown])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

/** Records without null, which a merge patch cannot express. */
const record = fc.letrec<{ value: unknown; record: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(fc.integer(), fc.string(), fc.array(fc.integer()), tie('record')),
  record: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value')),
})).record;

describe('a merge patch', () => {
  it.each(CASES)('turns %j with %j into %j (RFC 7396 A)', (original, patch, result) => {
    expect(mergePatch(original, patch)).toEqual(result);
  });

  it('between two records turns the first into the second', () => {
    fc.assert(
      fc.property(record, record, (before, after) => {
        expect(mergePatch(before, patchBetween(before, after))).toEqual(after);
      }),
    );
  });

  it('between two records has only the members that differ', () => {
    const before = { a: 1, b: { c: 2, d: [3] }, e: 4, f: { g: 5 } };
    expect(patchBetween(before, { ...before, b: { c: 6, d: [3] }, e: undefined })).toEqual({
      b: { c: 6 },
      e: null,
    });
  });
});
