import { Button, Text, Group } from '@mantine/core';
import { IconDownload, IconFileImport, IconRotate } from '@tabler/icons-react';
import { useState } from 'react';
import { newKeySchema, type SigningKey } from '../../../control/schemas.ts';
import { IN_WORDS, pathOf } from '../../../control/names.ts';
import { isJsonObject } from '../../../json.ts';
import { clockInWords } from '../../../oauth/moments.ts';
import { readTypedJson, rejected, type Typed } from '../../ui/typed-json.ts';
import { control } from '../../connection/control.ts';
import { JsonField } from '../../ui/JsonField.tsx';
import { notify } from '../../ui/notify.tsx';
import { RecordDialog } from '../../ui/record-form.tsx';
import { useSandboxNow } from '../../connection/clock.ts';
import { ActionButton, CopyButton } from '../../ui/buttons.tsx';
import { StatusTag } from '../../ui/status.tsx';
import { usePage, page } from '../../connection/state.ts';
import table from '../../ui/grid/table.module.css';
import { Section } from './Section.tsx';
import { Heads } from '../../ui/grid/GridTable.tsx';
import { attemptConfirmed } from '../../actions/sandbox.ts';
import { saveFile } from '../../ui/save-file.ts';

// Actions on the signing keys. Each asks for confirmation and reports its result; the feed updates the list.

export async function rotateKey(): Promise<void> {
  const { settings } = page.getState();
  if (settings === null) return;
  const alg = settings.signing_alg;
  const question = {
    title: 'Rotate the signing key?',
    body: `A new ${alg} key is generated, which signs new tokens. The current key is kept until you retire it, so that the tokens it signed can still be verified.`,
    confirm: 'Rotate',
    danger: false,
  };
  await attemptConfirmed(question, 'No key was generated.', async () => {
    const { kid } = await control.keys.create({ alg });
    notify(`${kid} signs new tokens`);
  });
}

/** Which key signs after this one is retired. */
function successionWords(key: SigningKey): string {
  if (!key.signing) return '';
  const another = page.getState().keys.some(({ kid, alg }) => kid !== key.kid && alg === key.alg);
  return another
    ? ` The previous ${key.alg} key signs again.`
    : ` It is the only ${key.alg} key, so a new one is generated immediately.`;
}

async function retireKey(key: SigningKey): Promise<void> {
  const question = {
    title: 'Retire this key?',
    body: `${key.kid} is removed from the list and the JWK Set, and introspection and userinfo reject every token it signed.${successionWords(key)} This cannot be undone.`,
    confirm: 'Retire',
  };
  await attemptConfirmed(question, 'The key was not retired.', async () => {
    await control.keys.retire({ kid: key.kid });
    notify(`${key.kid} is retired`);
  });
}

/** Exports the public parts of all keys, as apps fetch them (RFC 7517 5). */
function exportJwks(keys: readonly SigningKey[]): void {
  const jwks = { keys: keys.flatMap(({ public_jwk }) => public_jwk ?? []) };
  saveFile([`${JSON.stringify(jwks, null, 2)}\n`], 'jwks.json');
}

// Parses a private signing key that is pasted: one JWK as JSON.

type PrivateJwk = NonNullable<ReturnType<typeof newKeySchema.parse>['jwk']>;

function readPrivateKey(text: string): Typed<{ readonly jwk: PrivateJwk }> {
  if (text.trim() === '') return rejected('Paste a private key as a JWK.');
  const json = readTypedJson(text);
  if (!json.ok) return json;
  const read = newKeySchema.safeParse({ jwk: json.value }, IN_WORDS);
  if (read.success && read.data.jwk !== undefined) return { ok: true, jwk: read.data.jwk };
  const issue = read.error?.issues[0];
  const [, member] = issue?.path ?? [];
  const rule = issue?.message ?? 'is not valid';
  if (typeof member !== 'string') {
    return rejected('The key must be a JSON object: one JWK, not a set of them.');
  }
  const problem = isJsonObject(json.value) && member in json.value ? rule : 'is missing';
  return rejected(`Line ${json.lineOf(pathOf([member]))}: “${member}” ${problem}.`);
}

const problemsOf = ({ jwk }: { jwk: string }) => {
  const read = readPrivateKey(jwk);
  return read.ok ? {} : { jwk: read.problem };
};

async function save({ jwk }: { jwk: string }): Promise<void> {
  const read = readPrivateKey(jwk);
  if (!read.ok) throw new Error(read.problem);
  const key = await control.keys.create({ jwk: read.jwk });
  notify(key.signing ? `${key.kid} signs new tokens` : `${key.kid} is imported`);
}

/** Imports a private key, which then signs new tokens with its algorithm. */
function ImportKeyDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <RecordDialog
      title="Import key"
      initial={{ jwk: '' }}
      validate={problemsOf}
      save={save}
      failure="The key was not imported."
      onClose={onClose}
      idleText="Not imported yet"
    >
      {(form) => (
        <JsonField
          label="Private key"
          description="One JWK with its alg. It signs new tokens; existing keys stay in the list."
          placeholder={
            '{\n  "kty": "EC", "crv": "P-256", "alg": "ES256",\n  "x": "…", "y": "…", "d": "…"\n}'
          }
          minRows={7}
          data-autofocus
          {...form.getInputProps('jwk')}
        />
      )}
    </RecordDialog>
  );
}

const stateOf = ({ signing, published }: SigningKey) =>
  `${signing ? 'signing, ' : ''}${published ? 'published' : 'not published'}`;

function KeyRow({ signingKey }: { readonly signingKey: SigningKey }) {
  const now = useSandboxNow();
  const { kid, alg, signing, created_at, public_jwk } = signingKey;
  return (
    <tr>
      <td className={table.cut}>
        <code title={kid}>{kid}</code>
      </td>
      <td>{alg}</td>
      <td>
        <StatusTag tone={signing ? 'ok' : 'muted'}>{stateOf(signingKey)}</StatusTag>
      </td>
      <td className={table.muted}>{clockInWords(Date.parse(created_at), now)}</td>
      <td>
        <span className={table.actions}>
          {public_jwk !== null && (
            <CopyButton
              value={JSON.stringify(public_jwk, null, 2)}
              label={`Copy public JWK of ${kid}`}
            />
          )}
          <ActionButton
            variant="subtle"
            px="var(--s1h)"
            color="bad"
            aria-label={`Retire…: ${kid}`}
            needs="connection"
            onClick={() => void retireKey(signingKey)}
          >
            Retire…
          </ActionButton>
        </span>
      </td>
    </tr>
  );
}

function KeyActions({ onImport }: { readonly onImport: () => void }) {
  const keys = usePage((state) => state.keys);
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        leftSection={<IconDownload />}
        disabled={!keys.some(({ published }) => published)}
        onClick={() => exportJwks(keys)}
      >
        Export JWK Set
      </Button>
      <Button leftSection={<IconFileImport />} onClick={onImport}>
        Import…
      </Button>
      <ActionButton
        variant="filled"
        needs="connection"
        leftSection={<IconRotate />}
        onClick={() => void rotateKey()}
      >
        Rotate…
      </ActionButton>
    </Group>
  );
}

export function KeysSection() {
  const keys = usePage((state) => state.keys);
  const [importing, setImporting] = useState(false);
  return (
    <Section
      title="Signing keys"
      about="The keys that sign tokens, newest first. Apps fetch the public keys from the JWK Set, which omits retired keys."
      action={<KeyActions onImport={() => setImporting(true)} />}
    >
      {keys.length === 0 ? (
        <Text p="lg" ta="center" c="dimmed">
          No keys. The next token generates one.
        </Text>
      ) : (
        <table className={table.table}>
          <Heads names={['kid', 'Algorithm', 'State', 'Created']} actions />
          <tbody>
            {keys.map((key) => (
              <KeyRow key={key.kid} signingKey={key} />
            ))}
          </tbody>
        </table>
      )}
      {importing && <ImportKeyDialog onClose={() => setImporting(false)} />}
    </Section>
  );
}
