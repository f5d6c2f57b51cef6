import { CloseButton, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { CREDENTIAL_KINDS, CREDENTIAL_STATES } from '../../../control/schemas.ts';
import { usePage } from '../../connection/state.ts';
import { KIND_WORDS } from './credential.ts';
import { NO_FILTER, isFiltered, type TokenFilter } from './token-list.ts';
import { beginAnew, filterSoon } from './token-store.ts';
import classes from './Tokens.module.css';

const KINDS = CREDENTIAL_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }));
const STATES = [...CREDENTIAL_STATES];

const oneOf = <T extends string>(names: readonly T[], name: string | null): T | null =>
  names.find((known) => known === name) ?? null;

/** Which credentials are listed: by text, kind, state and client. */
export function TokenFilters({ filter }: { readonly filter: TokenFilter }) {
  const clients = usePage((state) => state.clients);
  const change = (part: Partial<TokenFilter>) => beginAnew({ ...filter, ...part });
  const ids = [...new Set([...clients.map(({ client_id }) => client_id), filter.client_id ?? ''])];
  const choice = { clearable: true, size: 'xs', comboboxProps: { width: 'max-content' } } as const;
  return (
    <div className={classes.filters} role="search" aria-label="Filter tokens">
      <TextInput
        className={classes.text}
        data-find
        aria-label="Text"
        placeholder="Client, user, scope, id, or a whole token"
        leftSection={<IconSearch size="1.1em" aria-hidden="true" />}
        value={filter.text}
        spellCheck={false}
        onChange={(event) => filterSoon({ ...filter, text: event.currentTarget.value })}
        rightSection={
          isFiltered(filter) ? (
            <CloseButton
              size="sm"
              aria-label="Clear the filter"
              title="Clear the filter"
              onClick={() => beginAnew(NO_FILTER)}
            />
          ) : null
        }
      />
      <Select
        {...choice}
        aria-label="Kind"
        placeholder="Any kind"
        data={KINDS}
        value={filter.kind}
        clearButtonProps={{ 'aria-label': 'Any kind' }}
        onChange={(value) => change({ kind: oneOf(CREDENTIAL_KINDS, value) })}
      />
      <Select
        {...choice}
        aria-label="State"
        placeholder="Any state"
        data={STATES}
        value={filter.state}
        clearButtonProps={{ 'aria-label': 'Any state' }}
        onChange={(value) => change({ state: oneOf(CREDENTIAL_STATES, value) })}
      />
      <Select
        {...choice}
        aria-label="Client"
        placeholder="Any client"
        data={ids.filter((id) => id !== '')}
        searchable
        value={filter.client_id}
        clearButtonProps={{ 'aria-label': 'Any client' }}
        onChange={(client_id) => change({ client_id })}
      />
    </div>
  );
}
