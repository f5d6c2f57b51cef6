import { Select, Switch, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Credential } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { sandboxNow } from '../../connection/clock.ts';
import { CompareTable } from '../../inspector/CompareTable.tsx';
import { decodeJwt, jwtOf, type DecodedJwt } from '../../../oauth/jwt.ts';
import { issuedInWords } from './credential.ts';
import { usePasted } from './paste-store.ts';
import { useFollowed, useTokenValue } from './use-credential.ts';

const PASTED = 'pasted';
const CHOICES = 100;

const readOthers = async (own: string): Promise<readonly Credential[]> => {
  const { items } = await control.tokens.list({ kind: 'access_token', limit: CHOICES });
  return items.filter(({ id }) => id !== own);
};

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
      {jwt === null && (
        <Text size="xs" c="dimmed">
          This token has no claims to compare.
        </Text>
      )}
      {jwt !== null && chosen !== null && other.jwt === null && other.state !== 'asking' && (
        <Text size="xs" c="dimmed" role="status">
          {other.state === 'gone'
            ? 'The text of that token is no longer stored.'
            : 'That token is opaque and has no claims to compare.'}
        </Text>
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
  const others = useFollowed(name, readOthers).value ?? [];
  const data = [
    ...(pasted ? [{ value: PASTED, label: titleOf(PASTED) }] : []),
    ...others.map((credential) => ({ value: credential.id, label: labelOf(credential) })),
  ];
  return (
    <Select
      label="Compare with"
      placeholder="Choose an access token"
      searchable
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
