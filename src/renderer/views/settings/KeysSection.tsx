import { Button } from '@mantine/core';
import { IconDownload, IconFileImport, IconRotate } from '@tabler/icons-react';
import { useState } from 'react';
import { usePage } from '../../connection/state.ts';
import table from '../../ui/grid/table.module.css';
import { ImportKeyDialog } from './ImportKeyDialog.tsx';
import { exportJwks, rotateKey } from './key-actions.ts';
import { KeyRow } from './KeyRow.tsx';
import section from './Section.module.css';
import { Section } from './Section.tsx';
import { useNeed } from '../../ui/use-need.ts';

const ICON = { size: '1.1em', 'aria-hidden': true } as const;

function KeyActions({ onImport }: { readonly onImport: () => void }) {
  const needs = useNeed('connection');
  const keys = usePage((state) => state.keys);
  return (
    <div className={section.actions}>
      <Button
        leftSection={<IconDownload {...ICON} />}
        disabled={!keys.some(({ published }) => published)}
        onClick={() => exportJwks(keys)}
      >
        Export JWKS
      </Button>
      <Button leftSection={<IconFileImport {...ICON} />} onClick={onImport}>
        Import…
      </Button>
      <Button
        variant="filled"
        leftSection={<IconRotate {...ICON} />}
        onClick={() => void rotateKey()}
        {...needs}
      >
        Rotate…
      </Button>
    </div>
  );
}

export function KeysSection() {
  const keys = usePage((state) => state.keys);
  const [importing, setImporting] = useState(false);
  return (
    <Section
      title="Signing keys"
      about="The keys that sign tokens, newest first. Apps fetch the public keys from the JWKS until a key is retired."
      action={<KeyActions onImport={() => setImporting(true)} />}
    >
      {keys.length === 0 ? (
        <p className={section.empty}>No keys yet. The first token generates one.</p>
      ) : (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">kid</th>
              <th scope="col">Algorithm</th>
              <th scope="col">State</th>
              <th scope="col">Created</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <KeyRow key={key.kid} signingKey={key} keys={keys} />
            ))}
          </tbody>
        </table>
      )}
      {importing && <ImportKeyDialog onClose={() => setImporting(false)} />}
    </Section>
  );
}
