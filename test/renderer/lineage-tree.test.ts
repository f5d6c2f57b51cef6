// One authorization, drawn as a tree below its code.

import { expect, test } from 'vitest';
import {
  originInWords,
  treeOf,
  type Line,
  type Member,
} from '../../src/renderer/views/tokens/LineagePanel.tsx';

const KINDS = { c: 'code', a: 'access_token', r: 'refresh_token' } as const;

/** `a4<3` is access token 4, issued from credential 3. */
function member(spec: string): Member {
  const [name = '', parent] = spec.split('<');
  const kind = KINDS[name.charAt(0) as keyof typeof KINDS];
  const parent_id = parent === undefined ? null : `1.${parent}`;
  return { id: `1.${name.slice(1)}`, kind, parent_id, issued_by: null } as Member;
}

const MARKS: Record<Line, string> = { none: ' ', past: '│', branch: '├', last: '└' };

const drawn = (...specs: string[]) =>
  treeOf({ members: specs.map(member) }).map(
    ({ lines, member: shown }) =>
      lines.map((line) => MARKS[line]).join('') + (shown?.id ?? 'origin'),
  );

test('tokens stand below the code, and later tokens below the refresh token', () => {
  expect(drawn('c1', 'a2<1', 'r3<1', 'a4<3', 'a5<3')).toEqual([
    '1.1',
    '├1.2',
    '└1.3',
    ' ├1.4',
    ' └1.5',
  ]);
});

test('a rotated refresh token stands beside its predecessor, so that rotation does not widen the tree', () => {
  expect(drawn('c1', 'a2<1', 'r3<1', 'a4<3', 'r5<3', 'a6<5', 'r7<5')).toEqual([
    '1.1',
    '├1.2',
    '├1.3',
    '│└1.4',
    '├1.5',
    '│└1.6',
    '└1.7',
  ]);
});

test('a token presented twice within its grace window has two successors', () => {
  expect(drawn('c1', 'r2<1', 'r3<2', 'r4<2', 'a5<3')).toEqual([
    '1.1',
    '├1.2',
    '├1.3',
    '│└1.5',
    '└1.4',
  ]);
});

test('tokens issued directly have no code above them', () => {
  expect(drawn('a1', 'r2', 'a3<2')).toEqual(['origin', '├1.1', '└1.2', ' └1.3']);
  expect(originInWords({ members: [member('a1')] })).toBe('Issued directly, without a code');
});

test('members without a stored origin stand at the top', () => {
  expect(drawn('a7<3', 'a8<3')).toEqual(['origin', '├1.7', '└1.8']);
  expect(originInWords({ members: [member('a7<3')] })).toBe(
    'Its first members are no longer stored',
  );
});

test('a single credential is its own root, and no credential gives no tree', () => {
  expect(drawn('c1')).toEqual(['1.1']);
  expect(drawn()).toEqual(['origin']);
});
