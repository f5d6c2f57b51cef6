import { Box, Group, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import type { Lineage } from '../../../control/schemas.ts';
import { clockInWords, momentInFull } from '../../../oauth/moments.ts';
import { navigate } from '../../navigation/route.ts';
import { ActionButton } from '../../ui/buttons.tsx';
import { pluralize } from '../../../words.ts';
import { asOf } from './credential.ts';
import { By, KindName, LifeCell, StateTag } from './TokenLabels.tsx';
import { revokeLineage } from './token-actions.ts';
import classes from './Lineage.module.css';

// One authorization's credentials as the rows of a tree, from the code down. Pure.

export type Member = Lineage['members'][number];

/** What is drawn to the left of a row at each level: a line past it, a branch to it, or nothing. */
export type Line = 'none' | 'past' | 'branch' | 'last';

interface TreeRow {
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

export function treeOf({ members }: Pick<Lineage, 'members'>): TreeRow[] {
  const top = nodesOf(rooted(members), null);
  const [only, ...others] = top;
  const root = only !== undefined && others.length === 0 ? only : { member: null, below: top };
  const { member, below } = root;
  return [{ member, lines: [], parent: below.length > 0 }, ...rowsOf(below, [])];
}

/** The text of the root row above members without a parent. */
export function originInWords({ members }: Pick<Lineage, 'members'>): string {
  const first = members.find(({ id }) => id.endsWith('.1'));
  if (first === undefined) return 'Its first members are no longer stored';
  return first.issued_by === null ? 'Issued directly, without a code' : 'Issued without a code';
}

interface MemberRowProps {
  readonly member: Member;
  readonly parent: boolean;
  readonly open: boolean;
  readonly now: number;
}

function MemberRow({ member, parent, open, now }: MemberRowProps) {
  return (
    <div className={classes.member} data-open={open || undefined} data-parent={parent || undefined}>
      <button
        type="button"
        className={classes.name}
        aria-current={open || undefined}
        onClick={() => void navigate('tokens', member.id)}
      >
        <KindName kind={member.kind} id={member.id} />
        <StateTag state={member.state} />
      </button>
      <Group mih="var(--row)" grow>
        <LifeCell credential={member} now={now} />
      </Group>
      <Text style={{ gridColumn: '1 / -1' }} pl="lg" fz="var(--fs-xs)" c="dimmed">
        <History member={member} now={now} />
      </Text>
    </div>
  );
}

/** When, from what and by which exchange it was issued, and when and by which it ended. */
function History({ member, now }: { readonly member: Member; readonly now: number }) {
  const { issued_at, issued_by, ended_at, ended_by, state, parent_id } = member;
  const at = (time: string) => clockInWords(Date.parse(time), now);
  return (
    <>
      issued {at(issued_at)}
      <By exchange={issued_by} otherwise=" directly" />
      {parent_id !== null && ` from ${parent_id}`}
      {ended_at !== null && ` · ${state} ${at(ended_at)}`}
      <By exchange={ended_by} />
    </>
  );
}

interface LineagePanelProps {
  readonly lineage: Lineage;
  readonly open: string;
  /** Sandbox time in ms. */
  readonly now: number;
}

/** One lineage: when it was created, whether it is revoked, and the tree of its credentials, with the code as its root. */
export function LineagePanel({ lineage, open, now }: LineagePanelProps) {
  const { lineage_id, created_at, revoked_at, count, members } = lineage;
  const since = momentInFull(Date.parse(created_at), now);
  const left = count - members.length;
  return (
    <>
      <Group
        wrap="nowrap"
        align="flex-start"
        justify="space-between"
        gap="sm"
        px="md"
        py="sm"
        fz="xs"
        c="dimmed"
      >
        <p>
          <b>Lineage {lineage_id}</b>, created {since}
          {revoked_at !== null && `, revoked ${momentInFull(Date.parse(revoked_at), now)}`}.{' '}
          {pluralize(count, 'credential')} so far
          {left > 0 && `, of which ${members.length} are still stored and shown here`}.
        </p>
        <ActionButton
          color="bad"
          disabled={revoked_at !== null}
          leftSection={<IconBan />}
          onClick={() => void revokeLineage(lineage)}
          needs="connection"
        >
          Revoke lineage…
        </ActionButton>
      </Group>
      <Box component="ul" role="list" px="sm" pb="md" aria-label={`Lineage ${lineage_id}`}>
        {treeOf(lineage).map(({ member, lines, parent }) => (
          <Box component="li" key={member?.id ?? 'origin'} display="flex">
            {/* The lines that connect a row to the rows above it. */}
            {lines.map((line, level) => (
              <span key={level} className={classes.line} data-line={line} aria-hidden="true" />
            ))}
            {member === null ? (
              <Text mih="var(--row)" p="xs" pb={0} c="dimmed">
                {originInWords(lineage)}
              </Text>
            ) : (
              <MemberRow
                member={asOf(member, now)}
                parent={parent}
                open={member.id === open}
                now={now}
              />
            )}
          </Box>
        ))}
      </Box>
    </>
  );
}
