import { Button, Group, Stack, type StackProps } from '@mantine/core';
import { changeDocument, useChoice, useFlow, changeFlow, flow } from './flow-store.ts';
import { ActionButton } from '../../ui/buttons.tsx';
import { addRedirectUri, attempt } from '../../actions/sandbox.ts';
import { withMember } from './flow-document.ts';
import { runStep, runAll } from './run-flow.ts';
import { cancelSignIn, openInBrowser, callbackUriOf } from './callback.ts';
import classes from './Flow.module.css';
import { Hint } from '../../ui/panel.tsx';
import type { Client } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { change, page, withClient as withRegistered } from '../../connection/state.ts';
import { notify } from '../../ui/notify.tsx';
import { withClient } from './flow-state.ts';

// Runs the whole flow with one click, with a sign-in by the user in their own browser.

/** The client_id of the new client, unless it is taken. */
const NAME = 'public-client';

const isFit = (client: Client): boolean =>
  client.token_endpoint_auth_method === 'none' &&
  client.application_type === 'native' &&
  client.grant_types.includes('authorization_code') &&
  (client.profile ?? page.getState().settings?.profile) === 'interop' &&
  callbackUriOf(client, '') !== null;

/** Returns an existing public client, or registers one. */
async function publicClient(): Promise<string> {
  const { clients } = page.getState();
  const known = clients.findLast(isFit);
  if (known !== undefined) return known.client_id;
  const isTaken = clients.some(({ client_id }) => client_id === NAME);
  const created = await control.clients.create({
    ...(isTaken ? {} : { client_id: NAME }),
    client_name: 'Public client',
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    client_secret: null,
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    profile: 'interop',
  });
  change((state) => withRegistered(state, created));
  notify(`Registered ${created.client_id}: public, native, interop profile`);
  return created.client_id;
}

const byPerson = () =>
  changeDocument((document) => ({ ...document, grant: 'authorization_code', way: 'person' }));

export async function runAsPerson(): Promise<void> {
  if (flow.getState().running !== null) return;
  byPerson();
  await runAll();
}

export async function runAsPublicClient(): Promise<void> {
  if (flow.getState().running !== null) return;
  const chosen = await attempt('The public client was not registered.', async () => {
    const client_id = await publicClient();
    changeFlow((state) => {
      const { client_id: picked } = state.document;
      return picked === client_id ? state : withClient(state, client_id);
    });
    byPerson();
  });
  if (chosen) await runAll();
}

export function AsPerson({ busy }: { readonly busy: boolean }) {
  const { client } = useChoice();
  return (
    <Group
      justify="center"
      gap="xs"
      mt="md"
      role="group"
      aria-label="Sign in yourself, in your browser"
    >
      <Hint w="100%">Or sign in yourself, in your browser:</Hint>
      {client !== null && (
        <ActionButton needs="server" busy={busy} onClick={() => void runAsPerson()}>
          As {client.client_id}
        </ActionButton>
      )}
      <ActionButton needs="server" busy={busy} onClick={() => void runAsPublicClient()}>
        As a public client, with PKCE
      </ActionButton>
    </Group>
  );
}

/** A message below the title of a step's card, with its buttons. */
export const StepLine = (props: StackProps & { readonly role?: string }) => (
  <Stack className={classes.row} gap="var(--s1h)" align="flex-start" mt="var(--s1h)" {...props} />
);

/** Registers a new redirect URI, and signs in with it. */
function Offer({ offer }: { readonly offer: string }) {
  const { client } = useChoice();
  const busy = useFlow((state) => state.running !== null);
  if (client === null || busy) return null;
  const add = async () => {
    if (!(await addRedirectUri(client, offer))) return;
    const path = ['authorize', 'parameters', 'redirect_uri'];
    changeDocument((document) => withMember(document, 'code', path, offer));
    await runStep('code');
  };
  return (
    <StepLine>
      <ActionButton needs="server" onClick={() => void add()}>
        Add a redirect URI and sign in
      </ActionButton>
      <Hint>
        Adds <code>{offer}</code> to the redirect URIs of <b>{client.client_id}</b>.
      </Hint>
    </StepLine>
  );
}

/** Shown while the user signs in, with buttons to open the page again and to cancel. */
export function PersonLine() {
  const person = useFlow((state) => state.person);
  if (person === null) return null;
  if (person.kind === 'no_callback') return <Offer offer={person.offer} />;
  const { id, redirect_uri, href } = person;
  return (
    <StepLine role="status">
      <Hint>
        Sign in on the page in your browser. This step waits up to 5 minutes for the code at{' '}
        <code>{redirect_uri}</code>.
      </Hint>
      <Group gap="var(--s1h)">
        <ActionButton
          needs="server"
          onClick={() => void attempt('The page was not opened.', () => openInBrowser(href))}
        >
          Open the page again
        </ActionButton>
        <Button variant="subtle" onClick={() => void cancelSignIn(id)}>
          Cancel
        </Button>
      </Group>
    </StepLine>
  );
}
