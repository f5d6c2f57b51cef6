// Values of two tokens or two responses side by side, with their differences.

import { Group, Text } from '@mantine/core';
import { IconMinus, IconPlus, IconTilde } from '@tabler/icons-react';
import { Heads } from '../ui/grid/GridTable.tsx';
import { Hint } from '../ui/panel.tsx';
import { LongText } from './ClaimTable.tsx';
import classes from './Compare.module.css';

export interface Compared {
  readonly name: string;
  /** null when missing. */
  readonly first: string | null;
  readonly second: string | null;
}

export const differs = ({ first, second }: Compared): boolean => first !== second;

const CHANGES = {
  added: { Icon: IconPlus, tone: 'ok' },
  removed: { Icon: IconMinus, tone: 'bad' },
  changed: { Icon: IconTilde, tone: 'warn' },
} as const;

const changeOf = ({ first, second }: Compared): keyof typeof CHANGES =>
  first === null ? 'added' : second === null ? 'removed' : 'changed';

/** Rendering more would block the page. */
const MOST = 200;

interface CompareTableProps {
  readonly heads: readonly string[];
  readonly rows: readonly Compared[];
  /** How a row differs; null for added, removed or changed. */
  readonly wordsOf?: (row: Compared) => string | null;
  /** An explanation below a value. */
  readonly noteOf?: (name: string, text: string) => string | null;
}

interface ValueProps {
  readonly name: string;
  readonly text: string | null;
  readonly note: string | null | undefined;
}

function Value({ name, text, note }: ValueProps) {
  if (text === null) {
    return (
      <Text span inherit ff="var(--font)" c="dimmed">
        absent
      </Text>
    );
  }
  return (
    <>
      <LongText text={text} label={name} />
      {note && <Hint ff="var(--font)">{note}</Hint>}
    </>
  );
}

export function CompareTable({ heads, rows, wordsOf, noteOf }: CompareTableProps) {
  if (rows.length === 0) return <Hint>No differences.</Hint>;
  const left = rows.length - MOST;
  return (
    <>
      <table className={classes.table}>
        <Heads names={heads} />
        <tbody>
          {rows.slice(0, MOST).map((row, index) => {
            const { name, first, second } = row;
            const change = changeOf(row);
            const { Icon, tone } = CHANGES[change];
            return (
              <tr key={index} data-tone={differs(row) ? tone : undefined}>
                <th scope="row">
                  <code>{name}</code>
                  {differs(row) ? (
                    <Group component="span" gap={4} fz="var(--fs-xs)" c="var(--tone)">
                      <Icon size={12} aria-hidden="true" stroke={2} />
                      {wordsOf?.(row) ?? change}
                    </Group>
                  ) : (
                    <span className="visually-hidden">same</span>
                  )}
                </th>
                {[first, second].map((text, column) => (
                  <td key={column}>
                    <Value name={name} text={text} note={text && noteOf?.(name, text)} />
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {left > 0 && <Hint>… {left.toLocaleString('en')} more</Hint>}
    </>
  );
}
