import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { Client } from '../../../control/schemas.ts';
import { usePage } from '../../connection/state.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import form from '../../ui/form.module.css';
import classes from './ConnectPanel.module.css';
import { SNIPPETS, type SnippetInput } from './snippets.ts';

const MASK = '••••••••';

/** Configuration for the app under test, ready to paste. */
export function ConnectPanel({ client }: { readonly client: Client }) {
  const server = usePage((state) => state.server);
  const [kind, setKind] = useState('env');
  if (server === null) return null;
  const snippet = SNIPPETS.find((candidate) => candidate.id === kind) ?? SNIPPETS[0];
  const input: SnippetInput = {
    issuer: server.issuer,
    token_endpoint: server.token_endpoint,
    client_id: client.client_id,
    client_secret: client.client_secret,
    signs: client.token_endpoint_auth_method === 'private_key_jwt',
    redirect_uri: client.redirect_uris[0] ?? 'http://localhost:3000/callback',
    audience: client.default_audience ?? server.issuer,
  };
  const masked = client.client_secret === null ? input : { ...input, client_secret: MASK };
  return (
    <div className={classes.panel}>
      <SegmentedControl
        aria-label="Configuration for"
        value={snippet.id}
        onChange={setKind}
        data={SNIPPETS.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <p className={form.note}>{snippet.about}</p>
      <CodeBlock
        text={snippet.text(masked)}
        copies={snippet.text(input)}
        label={`${snippet.name} configuration`}
      />
      {client.client_secret !== null && (
        <p className={form.note}>The secret is masked here, but included when you copy.</p>
      )}
    </div>
  );
}
