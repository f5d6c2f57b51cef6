import { Button, Group, Select, Stack, Switch, TextInput } from '@mantine/core';
import { ProfileOffer } from '../../exchange/ProfileOffer.tsx';
import { changeDocument, changeFlow, useChoice, useFlow } from './flow-store.ts';
import { IconPlus } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { usePage } from '../../connection/state.ts';
import { mayUse } from './flow-document.ts';
import type { GrantType } from '../../../control/schemas.ts';
import { JWT_BEARER_GRANT } from '../../../oauth/token-request.ts';
import { control, problemOf } from '../../connection/control.ts';
import { stepsOf, type WalkGrant } from '../../../scenario/walks.ts';
import { registrableKeys } from './page-key.ts';
import { problemOfUri } from './callback.ts';
import { Hint, Problem } from '../../ui/panel.tsx';
import { clientChoices } from '../../ui/short-forms.ts';
import { withClient } from './flow-state.ts';
import { ActionButton } from '../../ui/buttons.tsx';

const WORDS = 'Binds tokens to a key held by this page; they don’t work without it (RFC 9449).';
const REQUIRED =
  'Always on: this client must send a proof with every token request (RFC 9449 5.2).';

/** Binds tokens to a key, which only the interop profile supports. */
function DpopSwitch() {
  const { client, profile, dpop } = useChoice();
  const wanted = useFlow((state) => state.document.dpop);
  const required = client?.dpop_bound_access_tokens === true;
  return (
    <>
      <Switch
        label="Bind tokens with DPoP"
        checked={wanted || required}
        disabled={required}
        description={required ? REQUIRED : WORDS}
        onChange={({ currentTarget: { checked } }) =>
          changeDocument((document) => ({ ...document, dpop: checked }))
        }
      />
      {dpop && client !== null && profile !== 'interop' && (
        <div>
          <Hint mt="var(--s1)">
            This client’s {profile} profile ignores proofs, so its tokens are not bound.
          </Hint>
          <ProfileOffer profile="interop" client_id={client.client_id} />
        </div>
      )}
    </>
  );
}

const pick = (client_id: string | null) => {
  if (client_id !== null) {
    changeFlow((state) => ({ ...withClient(state, client_id), editing: 'client' }));
  }
};

export function ClientForm() {
  const grant = useFlow((state) => state.document.grant);
  const all = usePage((state) => state.clients);
  const clients = grant === 'authorization_code' ? all : all.filter(mayUse(grant));
  const { client } = useChoice();
  const [registering, setRegistering] = useState(clients.length === 0);
  if (registering) {
    return (
      <RegisterClient
        grant={grant}
        onDone={(client_id) => {
          setRegistering(false);
          pick(client_id);
        }}
      />
    );
  }
  return (
    <>
      <Select
        label="Client"
        searchable
        value={client?.client_id ?? null}
        onChange={pick}
        data={clientChoices(clients)}
      />
      <DpopSwitch />
      <Button leftSection={<IconPlus />} onClick={() => setRegistering(true)}>
        Register a client
      </Button>
    </>
  );
}

const grantsFor = (grant: WalkGrant): readonly GrantType[] =>
  stepsOf(grant).includes('refresh') ? [grant, 'refresh_token'] : [grant];

interface RegisterClientProps {
  readonly grant: WalkGrant;
  /** Called with the new client's id, or with null when the user cancels. */
  readonly onDone: (client_id: string | null) => void;
}

/** Registers a client with a name and a redirect URI. Everything else takes its default. */
function RegisterClient({ grant, onDone }: RegisterClientProps) {
  const [name, setName] = useState('');
  const [uri, setUri] = useState('http://localhost:3000/callback');
  const [problem, setProblem] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  // The message disappears as soon as the text is valid. If it stayed until the field loses the
  // focus, the button would move just as the user is about to press it.
  const type = (text: string) => {
    setUri(text);
    setProblem((shown) => (shown === null ? null : problemOfUri(text, 'redirect URI')));
  };

  const register = async (event: SubmitEvent) => {
    event.preventDefault();
    const redirects = grant === 'authorization_code';
    const wrong = redirects ? problemOfUri(uri, 'redirect URI') : null;
    setProblem(wrong);
    if (wrong !== null) return;
    setBusy(true);
    try {
      const created = await control.clients.create({
        client_name: name,
        redirect_uris: redirects ? [uri] : [],
        grant_types: [...grantsFor(grant)],
        ...(grant === JWT_BEARER_GRANT ? { jwks: await registrableKeys(null) } : {}),
      });
      onDone(created.client_id);
    } catch (error) {
      setFailure(problemOf(error).message);
      setBusy(false);
    }
  };

  return (
    <form onSubmit={(event) => void register(event)} noValidate>
      <Stack gap="var(--s2h)">
        <TextInput
          label="Name"
          placeholder="My app"
          value={name}
          maxLength={200}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        {grant === 'authorization_code' && (
          <TextInput
            label="Redirect URI"
            value={uri}
            spellCheck={false}
            error={problem}
            onChange={(event) => type(event.currentTarget.value)}
            onBlur={() => setProblem(problemOfUri(uri, 'redirect URI'))}
          />
        )}
        {grant === JWT_BEARER_GRANT && (
          <Hint>The client is registered with this page’s key, which signs its assertions.</Hint>
        )}
        {failure !== null && <Problem>{failure}</Problem>}
        <Group gap="var(--s1h)">
          <ActionButton type="submit" variant="filled" needs="connection" loading={busy}>
            Register
          </ActionButton>
          <Button variant="subtle" onClick={() => onDone(null)}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
