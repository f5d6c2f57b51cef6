import { Select, Switch, Stack, Group, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Credential } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { sandboxNow, useSandboxNow } from '../../connection/clock.ts';
import { decodeJwt, jwtOf, type DecodedJwt } from '../../../oauth/jwt.ts';
import { issuedInWords } from './credential.ts';
import { usePasted } from './paste-store.ts';
import { useTokenValue } from './open-token.ts';
import { usePage } from '../../connection/state.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { Hint } from '../../ui/panel.tsx';
import { IconMinus, IconPlus, IconTilde } from '@tabler/icons-react';
import { asText, timeInWords } from '../../../oauth/claims.ts';
import type { JsonObject } from '../../../json.ts';
import { LongText } from '../../inspector/ClaimTable.tsx';
import classes from '../../inspector/Compare.module.css';
import { Heads } from '../../ui/grid/GridTable.tsx';

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
function CompareTable({ title, first, second, onlyDifferences }: CompareTableProps) {
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
        <Hint>No differences.</Hint>
      ) : (
        <table className={classes.table}>
          <Heads names={['Member', first.name, second.name]} />
          <tbody>
            {shown.slice(0, MOST).map((member) => (
              <ComparedRow key={member.name} member={member} />
            ))}
          </tbody>
        </table>
      )}
      {left > 0 && <Hint>… {left.toLocaleString('en')} more members</Hint>}
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

const PASTED = 'pasted';
const CHOICES = 100;

const readTokens = () => control.tokens.list({ kind: 'access_token', limit: CHOICES });

interface ComparePanelProps {
  /** Id of a credential, or PASTED. */
  readonly name: string;
  readonly jwt: DecodedJwt | null;
}

const labelOf = (credential: Credential): string => {
  const { id, client_id, sub } = credential;
  return `${id} · ${client_id} · ${sub} · ${issuedInWords(credential, sandboxNow())}`;
};

const titleOf = (name: string): string => (name === PASTED ? 'Pasted token' : name);

/** The other token of the comparison: an issued one by its id, or the pasted one. */
function useOther(chosen: string | null, pasted: DecodedJwt | null) {
  const issued = chosen !== null && chosen !== PASTED;
  const { text, state } = useTokenValue(chosen ?? '', issued);
  const decoded = useMemo(() => (text === null ? null : decodeJwt(text)), [text]);
  return { jwt: chosen === PASTED ? pasted : decoded, state };
}

/** Compares the open token with another. */
export function ComparePanel({ name, jwt }: ComparePanelProps) {
  const { read } = usePasted();
  const pasted = useMemo(() => (name === PASTED ? null : jwtOf(read)), [name, read]);
  const [chosen, setChosen] = useState<string | null>(null);
  const other = useOther(chosen, pasted);
  return (
    <Stack gap="sm" px="md" pt="sm" pb="md">
      <CompareChoice name={name} pasted={pasted !== null} chosen={chosen} onChoose={setChosen} />
      {jwt === null && <Hint>This token has no claims to compare.</Hint>}
      {jwt !== null && chosen !== null && other.jwt === null && other.state !== 'asking' && (
        <Hint role="status">
          {other.state === 'gone'
            ? 'The text of that token is no longer stored.'
            : 'That token is opaque and has no claims to compare.'}
        </Hint>
      )}
      {jwt !== null && chosen !== null && other.jwt !== null && (
        <Compared names={[name, chosen]} first={jwt} second={other.jwt} />
      )}
    </Stack>
  );
}

interface CompareChoiceProps {
  readonly name: string;
  /** Whether the pasted token can be chosen. */
  readonly pasted: boolean;
  readonly chosen: string | null;
  readonly onChoose: (chosen: string | null) => void;
}

const HOW_TO_PASTE =
  'To compare with a token from elsewhere, paste it under “Inspect a token” first.';

function CompareChoice({ name, pasted, chosen, onChoose }: CompareChoiceProps) {
  const revision = usePage((state) => state.credentials_revision);
  const { items = [] } = useLoaded(readTokens, revision).known ?? {};
  const others = items.filter(({ id }) => id !== name);
  const data = [
    ...(pasted ? [{ value: PASTED, label: titleOf(PASTED) }] : []),
    ...others.map((credential) => ({ value: credential.id, label: labelOf(credential) })),
  ];
  return (
    <Select
      label="Compare with"
      placeholder="Choose an access token"
      searchable
      allowDeselect
      data={data}
      value={chosen}
      nothingFoundMessage="No other access token"
      {...(pasted || name === PASTED ? {} : { description: HOW_TO_PASTE })}
      inputWrapperOrder={['label', 'input', 'description']}
      onChange={onChoose}
    />
  );
}

interface ComparedProps {
  readonly names: readonly [first: string, second: string];
  readonly first: DecodedJwt;
  readonly second: DecodedJwt;
}

function Compared({ names, first, second }: ComparedProps) {
  const [onlyDifferences, setOnly] = useState(false);
  const [firstName, secondName] = names;
  return (
    <>
      <Switch
        label="Only differences"
        checked={onlyDifferences}
        onChange={(event) => setOnly(event.currentTarget.checked)}
      />
      {(['header', 'payload'] as const).map((part) => (
        <CompareTable
          key={part}
          title={part === 'header' ? 'Header' : 'Payload'}
          first={{ name: titleOf(firstName), members: first[part] }}
          second={{ name: titleOf(secondName), members: second[part] }}
          onlyDifferences={onlyDifferences}
        />
      ))}
    </>
  );
}
