import { wordsIn } from '../../../words.ts';
import { Select, Switch, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Credential } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { sandboxNow, useSandboxNow } from '../../connection/clock.ts';
import { decodeJwt, jwtOf, type DecodedJwt } from '../../../oauth/jwt.ts';
import { issuedInWords } from './credential.ts';
import { usePasted } from './paste-store.ts';
import { useTokenValue } from './token-actions.ts';
import { usePage } from '../../connection/state.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { Hint } from '../../ui/panel.tsx';
import { asText, timeInWords } from '../../../oauth/claims.ts';
import type { JsonObject } from '../../../json.ts';
import { CompareTable, differs, type Compared } from '../../inspector/CompareTable.tsx';

const textIn = (members: JsonObject, name: string): string | null =>
  Object.hasOwn(members, name) ? asText(members[name]) : null;

function compareMember(name: string, one: JsonObject, other: JsonObject): Compared {
  const [first, second] = [textIn(one, name), textIn(other, name)];
  if (first === null || first !== second) return { name, first, second };
  if (typeof one[name] === typeof other[name]) return { name, first, second };
  // Values like 1 and "1" are shown as JSON, or they would look the same.
  const json = (members: JsonObject) => JSON.stringify(members[name]);
  return { name, first: json(one), second: json(other) };
}

/** The members in the order of the first token, then those that only the second has. */
export function compareMembers(one: JsonObject, other: JsonObject): Compared[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].map((name) => compareMember(name, one, other));
}

/** The scopes that were added and removed. Their order does not matter (RFC 6749 3.3). */
export function scopeChange(
  first: string | null,
  second: string | null,
): { readonly added: string[]; readonly removed: string[] } {
  const [before, after] = [wordsIn(first ?? ''), wordsIn(second ?? '')];
  return {
    added: after.filter((scope) => !before.includes(scope)),
    removed: before.filter((scope) => !after.includes(scope)),
  };
}

function scopeWords({ name, first, second }: Compared): string | null {
  if (name !== 'scope' || first === null || second === null) return null;
  const { added, removed } = scopeChange(first, second);
  const parts = [
    ...(added.length > 0 ? [`added ${added.join(' ')}`] : []),
    ...(removed.length > 0 ? [`removed ${removed.join(' ')}`] : []),
  ];
  return parts.length === 0 ? 'the same scopes in another order' : parts.join(', ');
}

const PASTED = 'pasted';
const CHOICES = 100;

const readTokens = () => control.tokens.list({ kind: 'access_token', limit: CHOICES });

const labelOf = (credential: Credential): string => {
  const { id, client_id, sub } = credential;
  return `${id} · ${client_id} · ${sub} · ${issuedInWords(credential, sandboxNow())}`;
};

const titleOf = (name: string): string => (name === PASTED ? 'Pasted token' : name);

function useOther(chosen: string | null, pasted: DecodedJwt | null) {
  const issued = chosen !== null && chosen !== PASTED;
  const { text, state } = useTokenValue(chosen ?? '', issued);
  const decoded = useMemo(() => (text === null ? null : decodeJwt(text)), [text]);
  return { jwt: chosen === PASTED ? pasted : decoded, state };
}

interface ComparePanelProps {
  /** Id of a credential, or PASTED. */
  readonly name: string;
  readonly jwt: DecodedJwt | null;
}

const HOW_TO_PASTE =
  'To compare with a token from elsewhere, paste it under “Inspect a token” first.';

export function ComparePanel({ name, jwt }: ComparePanelProps) {
  const { read } = usePasted();
  const pasted = useMemo(() => (name === PASTED ? null : jwtOf(read)), [name, read]);
  const [chosen, setChosen] = useState<string | null>(null);
  const other = useOther(chosen, pasted);
  const revision = usePage((state) => state.credentials_revision);
  const { items = [] } = useLoaded(readTokens, revision).known ?? {};
  const others = items.filter(({ id }) => id !== name);
  return (
    <Stack gap="sm" px="md" pt="sm" pb="md">
      <Select
        label="Compare with"
        placeholder="Choose an access token"
        searchable
        allowDeselect
        data={[
          ...(pasted === null ? [] : [{ value: PASTED, label: titleOf(PASTED) }]),
          ...others.map((credential) => ({ value: credential.id, label: labelOf(credential) })),
        ]}
        value={chosen}
        nothingFoundMessage="No match among the newest access tokens"
        {...(pasted !== null || name === PASTED ? {} : { description: HOW_TO_PASTE })}
        inputWrapperOrder={['label', 'input', 'description']}
        onChange={setChosen}
      />
      {jwt === null && <Hint>This token has no claims to compare.</Hint>}
      {jwt !== null && chosen !== null && other.jwt === null && other.state !== 'asking' && (
        <Hint role="status">
          {other.state === 'gone'
            ? 'The text of that token is no longer stored.'
            : 'That token is opaque and has no claims to compare.'}
        </Hint>
      )}
      {jwt !== null && chosen !== null && other.jwt !== null && (
        <ComparedTokens names={[name, chosen]} first={jwt} second={other.jwt} />
      )}
    </Stack>
  );
}

interface ComparedProps {
  readonly names: readonly [first: string, second: string];
  readonly first: DecodedJwt;
  readonly second: DecodedJwt;
}

function ComparedTokens({ names, first, second }: ComparedProps) {
  const [onlyDifferent, setOnly] = useState(false);
  const now = useSandboxNow();
  const parts = useMemo(
    () => [
      ['Header', compareMembers(first.header, second.header)] as const,
      ['Payload', compareMembers(first.payload, second.payload)] as const,
    ],
    [first, second],
  );
  return (
    <>
      <Switch
        label="Only differences"
        checked={onlyDifferent}
        onChange={(event) => setOnly(event.currentTarget.checked)}
      />
      {parts.map(([title, rows]) => (
        <section key={title} aria-label={title}>
          <Text component="h3" fz="var(--fs-xs)" fw="bold" c="dimmed" mt="xs" mb={4}>
            {title}
          </Text>
          <CompareTable
            heads={['Member', ...names.map(titleOf)]}
            rows={onlyDifferent ? rows.filter(differs) : rows}
            wordsOf={scopeWords}
            noteOf={(name, text) => timeInWords(name, text, now)}
          />
        </section>
      ))}
    </>
  );
}
