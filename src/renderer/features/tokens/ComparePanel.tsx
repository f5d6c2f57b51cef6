import { Select, Switch } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Credential } from '../../../control/schemas.ts';
import { control } from '../../control.ts';
import { sandboxNow } from '../../clock.ts';
import { CompareTable } from '../inspector/CompareTable.tsx';
import inspector from '../inspector/Inspector.module.css';
import { decodeJwt, jwtOf, type DecodedJwt } from '../inspector/jwt.ts';
import { issuedInWords } from './credential.ts';
import { usePasted } from './paste-store.ts';
import classes from './Tokens.module.css';
import { useFollowed } from './use-followed.ts';
import { useTokenValue } from './use-token-value.ts';

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

/** The token that is open, held against another: one issued here, or the one that was pasted. */
export function ComparePanel({ name, jwt }: ComparePanelProps) {
  const others = useFollowed(name, readOthers).value;
  const { read } = usePasted();
  const pasted = useMemo(() => jwtOf(read), [read]);
  const [chosen, setChosen] = useState<string | null>(null);
  const [onlyDifferences, setOnly] = useState(false);
  const usesPasted = chosen === PASTED;
  const value = useTokenValue(chosen ?? '', chosen !== null && !usesPasted);
  const decoded = useMemo(() => (value.text === null ? null : decodeJwt(value.text)), [value.text]);
  const other = usesPasted ? pasted : decoded;
  const data = [
    ...(pasted !== null && name !== PASTED ? [{ value: PASTED, label: 'Pasted token' }] : []),
    ...(others ?? []).map((credential) => ({ value: credential.id, label: labelOf(credential) })),
  ];
  return (
    <div className={inspector.inspector}>
      <div className={classes.compare}>
        <Select
          label="Compare with"
          placeholder="Choose an access token"
          searchable
          data={data}
          value={chosen}
          nothingFoundMessage="No other access token"
          description={
            pasted === null && name !== PASTED
              ? 'A token from elsewhere can be chosen here once it was pasted under “Inspect a token”.'
              : undefined
          }
          inputWrapperOrder={['label', 'input', 'description']}
          onChange={setChosen}
        />
        {jwt !== null && other !== null && (
          <Switch
            label="Only differences"
            checked={onlyDifferences}
            onChange={(event) => setOnly(event.currentTarget.checked)}
          />
        )}
      </div>
      {jwt === null && <p className={inspector.opaque}>This token has no claims to compare.</p>}
      {jwt !== null && chosen !== null && other === null && value.state !== 'asking' && (
        <p className={inspector.opaque} role="status">
          {value.state === 'gone'
            ? 'The text of that one is no longer kept.'
            : 'That one has no claims to compare: it is opaque.'}
        </p>
      )}
      {jwt !== null && other !== null && chosen !== null && (
        <>
          {(['header', 'payload'] as const).map((part) => (
            <CompareTable
              key={part}
              title={part === 'header' ? 'Header' : 'Payload'}
              first={{ name: titleOf(name), members: jwt[part] }}
              second={{ name: titleOf(chosen), members: other[part] }}
              onlyDifferences={onlyDifferences}
            />
          ))}
        </>
      )}
    </div>
  );
}
