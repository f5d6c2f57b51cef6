// Registers a client from the text of its client ID metadata document, which Grantbench does not fetch from elsewhere.

import { Button, Group, Modal, Stack } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { isJsonObject } from '../../../json.ts';
import { control, problemOf } from '../../connection/control.ts';
import { change, usePage, withClient } from '../../connection/state.ts';
import { navigate } from '../../navigation/route.ts';
import { JsonField } from '../../ui/JsonField.tsx';
import { notify } from '../../ui/notify.tsx';
import { problemSentence } from '../../ui/problems.ts';
import { readTypedJson } from '../../ui/typed-json.ts';
import { ActionButton } from '../../ui/buttons.tsx';

const EXAMPLE = `{
  "client_id": "https://client.example/client.json",
  "client_name": "Client",
  "redirect_uris": ["http://127.0.0.1/callback"]
}`;

/** @returns why the document was not imported; null if it was */
async function importDocument(text: string): Promise<string | null> {
  const json = readTypedJson(text);
  if (!json.ok) return json.problem;
  if (!isJsonObject(json.value)) return 'The document must be a JSON object.';
  try {
    // The server checks the document, and names the member and the rule.
    const made = await control.clients.create(json.value);
    change((state) => withClient(state, made));
    notify(`${made.client_id} is registered`);
    void navigate('clients', made.client_id);
    return null;
  } catch (error) {
    return problemSentence(problemOf(error));
  }
}

function ImportForm({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const save = async () => {
    const found = await importDocument(text);
    setProblem(found);
    if (found === null) onClose();
  };
  return (
    <Stack>
      <JsonField
        label="Document"
        description="The JSON at the URL that is the client’s client_id. The client is saved with the workspace."
        placeholder={EXAMPLE}
        value={text}
        error={problem}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button onClick={onClose}>Cancel</Button>
        <ActionButton variant="filled" needs="connection" onClick={() => void save()}>
          Import
        </ActionButton>
      </Group>
    </Stack>
  );
}

/** The button and its dialog, while client ID metadata documents are switched on. */
export function DocumentImport() {
  const isOn = usePage((state) => state.settings?.registration.document_origins !== undefined);
  const [isOpen, setOpen] = useState(false);
  if (!isOn) return null;
  const close = () => setOpen(false);
  return (
    <>
      <Button leftSection={<IconFileImport />} onClick={() => setOpen(true)}>
        Import document
      </Button>
      <Modal opened={isOpen} onClose={close} title="Import a client ID metadata document">
        <ImportForm onClose={close} />
      </Modal>
    </>
  );
}
