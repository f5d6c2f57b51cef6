import { Button, Group, Stack, type StackProps, Text } from '@mantine/core';
import { changeDocument, useChoice, useFlow } from './flow-store.ts';
import { runAsPerson, runAsPublicClient } from './run-as-person.ts';
import { useNeed } from '../../ui/use-need.ts';
import { addRedirectUri, attempt } from '../../actions/sandbox.ts';
import { withMember } from './flow-document.ts';
import { runStep } from './run.ts';
import { cancelSignIn, openInBrowser } from './sign-in.ts';
import classes from './Flow.module.css';

/** Runs the flow with a sign-in by the user, in their own browser. */
export function AsPerson({ busy }: { readonly busy: boolean }) {
  const { client } = useChoice();
  const needs = useNeed('server');
  return (
    <Group
      justify="center"
      gap="xs"
      mt="md"
      role="group"
      aria-label="Sign in yourself, in your browser"
    >
      <Text size="xs" c="dimmed" w="100%">
        Or sign in yourself, in your browser:
      </Text>
      {client !== null && (
        <Button disabled={busy} onClick={() => void runAsPerson()} {...needs}>
          As {client.client_id}
        </Button>
      )}
      <Button disabled={busy} onClick={() => void runAsPublicClient()} {...needs}>
        As a public client, with PKCE
      </Button>
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
  const needs = useNeed('server');
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
      <Button onClick={() => void add()} {...needs}>
        Add a redirect URI and sign in
      </Button>
      <Text size="xs" c="dimmed">
        Adds <code>{offer}</code> to the redirect URIs of <b>{client.client_id}</b>.
      </Text>
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
      <Text size="xs" c="dimmed">
        Sign in on the page in your browser. This step waits up to 5 minutes for the code at{' '}
        <code>{redirect_uri}</code>.
      </Text>
      <Group gap="var(--s1h)">
        <Button onClick={() => void attempt('The page was not opened.', () => openInBrowser(href))}>
          Open the page again
        </Button>
        <Button variant="subtle" onClick={() => void cancelSignIn(id)}>
          Cancel
        </Button>
      </Group>
    </StepLine>
  );
}
