import { Group, Text } from '@mantine/core';
import { IconMinus, IconPlus, IconTilde } from '@tabler/icons-react';
import { useMemo } from 'react';
import { asText, timeInWords } from '../../oauth/claims.ts';
import type { JsonObject } from '../../json.ts';
import { useSandboxNow } from '../connection/clock.ts';
import { LongText } from './ClaimTable.tsx';
import classes from './Compare.module.css';

/** The change from the first token to the second. */
type Mark = 'same' | 'added' | 'removed' | 'changed';

interface ComparedMember {
  readonly name: string;
  readonly mark: Mark;
  /** null when missing. */
  readonly first: string | null;
  readonly second: string | null;
}

const textIn = (members: JsonObject, name: string): string | null =>
  Object.hasOwn(members, name) ? asText(members[name]) : null;

function compareMember(name: string, one: JsonObject, other: JsonObject): ComparedMember {
  const [first, second] = [textIn(one, name), textIn(other, name)];
  if (first === null) return { name, mark: 'added', first, second };
  if (second === null) return { name, mark: 'removed', first, second };
  if (first !== second) return { name, mark: 'changed', first, second };
  if (typeof one[name] === typeof other[name]) return { name, mark: 'same', first, second };
  // Values like 1 and "1" are shown as JSON, or they would look the same.
  const json = (members: JsonObject) => JSON.stringify(members[name]);
  return { name, mark: 'changed', first: json(one), second: json(other) };
}

/** The members in the order of the first token, then those that only the second has. */
export function compareMembers(one: JsonObject, other: JsonObject): ComparedMember[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].map((name) => compareMember(name, one, other));
}

/** The scopes that were added and removed. Their order does not matter (RFC 6749 3.3). */
export function scopeChange(
  first: string | null,
  second: string | null,
): { readonly added: string[]; readonly removed: string[] } {
  const words = (text: string | null) => (text ?? '').split(/\s+/).filter((word) => word !== '');
  const [before, after] = [words(first), words(second)];
  return {
    added: after.filter((scope) => !before.includes(scope)),
    removed: before.filter((scope) => !after.includes(scope)),
  };
}

const MARKS: Record<Exclude<Mark, 'same'>, { Icon: typeof IconPlus; word: string }> = {
  added: { Icon: IconPlus, word: 'added' },
  removed: { Icon: IconMinus, word: 'removed' },
  changed: { Icon: IconTilde, word: 'changed' },
};

const TONES = { same: undefined, added: 'ok', removed: 'bad', changed: 'warn' } as const;

/** Rendering more would block the page. */
const MOST = 200;

interface CompareTableProps {
  readonly title: string;
  readonly first: { readonly name: string; readonly members: JsonObject };
  readonly second: { readonly name: string; readonly members: JsonObject };
  readonly onlyDifferences: boolean;
}

/** The members of two tokens side by side, with their differences. */
export function CompareTable({ title, first, second, onlyDifferences }: CompareTableProps) {
  const all = useMemo(
    () => compareMembers(first.members, second.members),
    [first.members, second.members],
  );
  const shown = onlyDifferences ? all.filter(({ mark }) => mark !== 'same') : all;
  const left = shown.length - MOST;
  return (
    <section aria-label={title}>
      <Text component="h3" fz="var(--fs-xs)" fw="bold" c="dimmed" mt="xs" mb={4}>
        {title}
      </Text>
      {shown.length === 0 ? (
        <Text size="xs" c="dimmed">
          No differences.
        </Text>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Member</th>
              <th scope="col">{first.name}</th>
              <th scope="col">{second.name}</th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, MOST).map((member) => (
              <ComparedRow key={member.name} member={member} />
            ))}
          </tbody>
        </table>
      )}
      {left > 0 && (
        <Text size="xs" c="dimmed">
          … {left.toLocaleString('en')} more members
        </Text>
      )}
    </section>
  );
}

function scopeWords({ name, mark, first, second }: ComparedMember): string | null {
  if (name !== 'scope' || mark !== 'changed') return null;
  const { added, removed } = scopeChange(first, second);
  const parts = [
    ...(added.length > 0 ? [`added ${added.join(' ')}`] : []),
    ...(removed.length > 0 ? [`removed ${removed.join(' ')}`] : []),
  ];
  return parts.length === 0 ? 'the same scopes in another order' : parts.join(', ');
}

/** How a member differs, as an icon and a word. */
function Marked({ member }: { readonly member: ComparedMember }) {
  if (member.mark === 'same') return <span className="visually-hidden">same</span>;
  const { Icon, word } = MARKS[member.mark];
  return (
    <Group component="span" gap={4} fz="var(--fs-xs)" c="var(--tone)">
      <Icon size={12} aria-hidden="true" stroke={2} />
      {scopeWords(member) ?? word}
    </Group>
  );
}

function ComparedRow({ member }: { readonly member: ComparedMember }) {
  const { name, mark, first, second } = member;
  return (
    <tr data-tone={TONES[mark]}>
      <th scope="row">
        <code>{name}</code>
        <Marked member={member} />
      </th>
      {[first, second].map((text, index) => (
        <td key={index}>
          <ComparedValue name={name} text={text} />
        </td>
      ))}
    </tr>
  );
}

interface ComparedValueProps {
  readonly name: string;
  readonly text: string | null;
}

/** A value, with an explanation if it is a time. */
function ComparedValue({ name, text }: ComparedValueProps) {
  const now = useSandboxNow();
  if (text === null)
    return (
      <Text span inherit ff="var(--font)" c="dimmed">
        absent
      </Text>
    );
  const words = timeInWords(name, text, now);
  return (
    <>
      <LongText text={text} label={name} />
      {words !== null && (
        <Text fz="var(--fs-xs)" ff="var(--font)" c="dimmed">
          {words}
        </Text>
      )}
    </>
  );
}
