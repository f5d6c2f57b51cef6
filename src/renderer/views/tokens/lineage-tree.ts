// One authorization's credentials as the rows of a tree, from the code down. Pure.

import type { Lineage } from '../../../control/schemas.ts';

export type Member = Lineage['members'][number];

/** What is drawn to the left of a row at each level: a line past it, a branch to it, or nothing. */
export type Line = 'none' | 'past' | 'branch' | 'last';

export interface TreeRow {
  /** null: the root row above members without a parent. */
  readonly member: Member | null;
  readonly lines: readonly Line[];
  /** Whether the row has children. */
  readonly parent: boolean;
}

interface Node {
  readonly member: Member | null;
  readonly below: readonly Node[];
}

/**
 * The children of a credential are those that were issued for it. A refresh token that replaced another is its
 * sibling, or fifty rotations would be indented beyond the page.
 */
function nodesOf(members: readonly Member[], parent_id: string | null): Node[] {
  return members
    .filter((member) => member.parent_id === parent_id)
    .flatMap((member) => {
      const below = nodesOf(members, member.id);
      if (member.kind !== 'refresh_token') return [{ member, below }];
      const replaces = (node: Node) => node.member?.kind === 'refresh_token';
      const own = below.filter((node) => !replaces(node));
      return [{ member, below: own }, ...below.filter(replaces)];
    });
}

/** Moves members whose parent is missing to the top level. */
function rooted(members: readonly Member[]): Member[] {
  const ids = new Set(members.map(({ id }) => id));
  return members.map((member) =>
    member.parent_id !== null && ids.has(member.parent_id)
      ? member
      : { ...member, parent_id: null },
  );
}

const through = (lines: readonly Line[]): Line[] =>
  lines.map((line) => (line === 'branch' || line === 'past' ? 'past' : 'none'));

function rowsOf(nodes: readonly Node[], lines: readonly Line[]): TreeRow[] {
  return nodes.flatMap(({ member, below }, index) => {
    const own: Line[] = [...through(lines), index === nodes.length - 1 ? 'last' : 'branch'];
    return [{ member, lines: own, parent: below.length > 0 }, ...rowsOf(below, own)];
  });
}

/** The rows of the tree, each with its lines. */
export function treeOf({ members }: Pick<Lineage, 'members'>): TreeRow[] {
  const top = nodesOf(rooted(members), null);
  const [root] = top;
  if (root !== undefined && top.length === 1) {
    return [
      { member: root.member, lines: [], parent: root.below.length > 0 },
      ...rowsOf(root.below, []),
    ];
  }
  return [{ member: null, lines: [], parent: top.length > 0 }, ...rowsOf(top, [])];
}

/** The text of the root row above members without a parent. */
export function originInWords({ members }: Pick<Lineage, 'members'>): string {
  const first = members.find(({ id }) => id.endsWith('.1'));
  if (first === undefined) return 'Its first members are no longer stored';
  return first.issued_by === null ? 'Minted directly, without a code' : 'Issued without a code';
}
