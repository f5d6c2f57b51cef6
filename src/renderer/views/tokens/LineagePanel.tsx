import { Button, Box, Group, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import type { Lineage } from '../../../control/schemas.ts';
import { clockInWords, momentInFull } from '../../../oauth/moments.ts';
import { navigate } from '../../navigation/route.ts';
import { ExchangeLink } from '../../exchange/ExchangeLink.tsx';
import { pluralize } from '../../ui/short-forms.ts';
import { asOf } from './credential.ts';
import { KindName, LifeCell, StateTag } from './TokenLabels.tsx';
import { originInWords, treeOf, type Member, type TreeRow } from './lineage-tree.ts';
import { revokeLineage } from './token-actions.ts';
import classes from './Lineage.module.css';

interface LineageTreeProps {
  readonly lineage: Lineage;
  /** The member that is open. */
  readonly open: string;
  /** Sandbox time in ms. */
  readonly now: number;
}

/** The tree of everything issued from one authorization, with the code as its root. */
function LineageTree({ lineage, open, now }: LineageTreeProps) {
  return (
    <Box component="ul" role="list" px="sm" pb="md" aria-label={`Lineage ${lineage.lineage_id}`}>
      {treeOf(lineage).map((row) => (
        <Box component="li" key={row.member?.id ?? 'origin'} display="flex">
          <Branches lines={row.lines} />
          {row.member === null ? (
            <Text mih="var(--row)" p="xs" pb={0} c="dimmed">
              {originInWords(lineage)}
            </Text>
          ) : (
            <MemberRow
              member={asOf(row.member, now)}
              parent={row.parent}
              open={row.member.id === open}
              now={now}
            />
          )}
        </Box>
      ))}
    </Box>
  );
}

/** The lines that connect a row to the rows above it. */
function Branches({ lines }: Pick<TreeRow, 'lines'>) {
  return lines.map((line, level) => (
    <span key={level} className={classes.line} data-line={line} aria-hidden="true" />
  ));
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
      <Text className={classes.story} pl="lg" fz="var(--fs-xs)" c="dimmed">
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
      issued {at(issued_at)}{' '}
      {issued_by === null ? (
        'directly'
      ) : (
        <>
          by <ExchangeLink number={issued_by} />
        </>
      )}
      {parent_id !== null && ` from ${parent_id}`}
      {ended_at !== null && (
        <>
          {` · ${state} ${at(ended_at)} `}
          {ended_by !== null && (
            <>
              by <ExchangeLink number={ended_by} />
            </>
          )}
        </>
      )}
    </>
  );
}

interface LineagePanelProps {
  readonly lineage: Lineage;
  readonly open: string;
  readonly now: number;
}

/** One lineage: when it was created, whether it is revoked, and the tree of its credentials. */
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
        <Button
          color="bad"
          disabled={revoked_at !== null}
          leftSection={<IconBan size="1.1em" aria-hidden="true" />}
          onClick={() => void revokeLineage(lineage)}
        >
          Revoke lineage
        </Button>
      </Group>
      <LineageTree lineage={lineage} open={open} now={now} />
    </>
  );
}
