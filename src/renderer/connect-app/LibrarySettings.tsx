import { Select, Stack } from '@mantine/core';
import type { Client } from '../../control/schemas.ts';
import { usePage } from '../connection/state.ts';
import { ProfileOffer } from '../exchange/ProfileOffer.tsx';
import { CodeBlock } from '../ui/CodeBlock.tsx';
import {
  type Snippet,
  inputOf,
  incompatibility,
  needsInterop,
  requirementsNote,
} from './library-input.ts';
import { SNIPPETS } from './libraries.ts';
import { discoveryNote } from './discovery.ts';
import { Hint } from '../ui/panel.tsx';
import { setPreference, usePreference } from '../ui/preferences.ts';

/** The library whose settings are shown. The default is the first, which is the env file. */
export function useLibrary(): Snippet {
  const id = usePreference('library');
  return SNIPPETS.find((snippet) => snippet.id === id) ?? SNIPPETS[0];
}

const MASK = '••••••••';

const LIBRARIES = [...new Set(SNIPPETS.map(({ group }) => group))].map((group) => ({
  group,
  items: SNIPPETS.filter((snippet) => snippet.group === group).map(({ id, name }) => ({
    value: id,
    label: name,
  })),
}));

interface LibrarySettingsProps {
  readonly client: Client;
  readonly redirect_uri: string;
}

/** Settings for the app under test, ready to paste. */
export function LibrarySettings({ client, redirect_uri }: LibrarySettingsProps) {
  const server = usePage((state) => state.server);
  const settings = usePage((state) => state.settings);
  const snippet = useLibrary();
  if (server === null || settings === null) return null;
  const input = inputOf(client, server, redirect_uri);
  const { client_secret, client_id } = client;
  const problem = incompatibility(snippet, input);
  const profile = client.profile ?? settings.profile;
  const required = requirementsNote(client, settings);
  const interop = needsInterop(client, profile, snippet);
  const undiscovered = discoveryNote(client.profile, settings.profile);
  return (
    <>
      <Select
        label="Library"
        maw="24rem"
        data={LIBRARIES}
        value={snippet.id}
        searchable
        onChange={(id) => {
          if (id !== null) setPreference('library', id);
        }}
      />
      <Hint>{snippet.about}</Hint>
      {undiscovered !== null && <Hint role="note">{undiscovered}</Hint>}
      {required !== null && <Hint role="note">{required}</Hint>}
      {problem === null ? (
        <>
          {interop !== null && (
            <Stack gap="xs" role="note">
              <Hint>{interop}</Hint>
              <ProfileOffer profile="interop" client_id={client_id} />
            </Stack>
          )}
          <CodeBlock
            text={snippet.text(client_secret === null ? input : { ...input, client_secret: MASK })}
            copies={snippet.text(input)}
            label={`${snippet.name} configuration`}
          />
          {client_secret !== null && (
            <Hint>The secret is masked here, but included when you copy.</Hint>
          )}
        </>
      ) : (
        <Hint role="note">{problem}</Hint>
      )}
    </>
  );
}
