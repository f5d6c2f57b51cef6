import { Select } from '@mantine/core';
import { useState } from 'react';
import type { Client } from '../../../control/schemas.ts';
import { usePage } from '../../connection/state.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import form from '../../ui/form.module.css';
import { inputOf } from './connect/input.ts';
import { SNIPPETS } from './connect/snippets.ts';
import classes from './ConnectPanel.module.css';

const MASK = '••••••••';

const LIBRARIES = [...new Set(SNIPPETS.map(({ group }) => group))].map((group) => ({
  group,
  items: SNIPPETS.filter((snippet) => snippet.group === group).map(({ id, name }) => ({
    value: id,
    label: name,
  })),
}));

/** Settings for the app under test, ready to paste. */
export function ConnectPanel({ client }: { readonly client: Client }) {
  const server = usePage((state) => state.server);
  const settings = usePage((state) => state.settings);
  const [kind, setKind] = useState('env');
  if (server === null || settings === null) return null;
  const snippet = SNIPPETS.find(({ id }) => id === kind) ?? SNIPPETS[0];
  const input = inputOf(client, server);
  const { client_secret } = client;
  const unfit = snippet.unfit?.(input) ?? null;
  const profile = client.profile ?? settings.profile;
  return (
    <div className={classes.panel}>
      <Select
        label="Library"
        className={classes.library ?? ''}
        data={LIBRARIES}
        value={snippet.id}
        allowDeselect={false}
        searchable
        onChange={(id) => setKind(id ?? 'env')}
      />
      <p className={form.note}>{snippet.about}</p>
      {unfit === null ? (
        <>
          {snippet.interop && profile !== 'interop' && (
            <p className={form.note} role="note">
              The profile of this client is {profile}, which rejects requests of {snippet.name}: set
              it to interop.
            </p>
          )}
          <CodeBlock
            text={snippet.text(client_secret === null ? input : { ...input, client_secret: MASK })}
            copies={snippet.text(input)}
            label={`${snippet.name} configuration`}
          />
          {client_secret !== null && (
            <p className={form.note}>The secret is masked here, but included when you copy.</p>
          )}
        </>
      ) : (
        <p className={form.note} role="note">
          {unfit}
        </p>
      )}
    </div>
  );
}
