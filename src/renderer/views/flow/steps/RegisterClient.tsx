import { Button, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import type { GrantType } from '../../../../control/schemas.ts';
import { problemOfUri } from '../redirect-uri.ts';
import {
  DEVICE_CODE_GRANT,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../../../oauth/token-request.ts';
import { control, problemOf } from '../../../connection/control.ts';
import type { FlowGrant } from '../flow-steps.ts';
import classes from './Steps.module.css';

/** What a new client may do; the redirect URI is for the authorization code alone. */
const GRANTS: Record<FlowGrant, readonly GrantType[]> = {
  authorization_code: ['authorization_code', 'refresh_token'],
  [DEVICE_CODE_GRANT]: [DEVICE_CODE_GRANT, 'refresh_token'],
  [TOKEN_EXCHANGE_GRANT]: [TOKEN_EXCHANGE_GRANT],
  [JWT_BEARER_GRANT]: [JWT_BEARER_GRANT],
  password: ['password', 'refresh_token'],
};

interface RegisterClientProps {
  readonly grant: FlowGrant;
  /** With the new client's id, or null when given up. */
  readonly onDone: (client_id: string | null) => void;
}

/** The shortest way to a client: a name and where to send people back. The rest takes defaults. */
export function RegisterClient({ grant, onDone }: RegisterClientProps) {
  const [name, setName] = useState('');
  const [uri, setUri] = useState('http://localhost:3000/callback');
  const [problem, setProblem] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  // A problem goes as soon as it is mended, not on leaving the field: then the button would move
  // away from under the pointer that is about to press it.
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
        grant_types: [...GRANTS[grant]],
      });
      onDone(created.client_id);
    } catch (error) {
      setFailure(problemOf(error).message);
      setBusy(false);
    }
  };

  return (
    <form className={classes.fields} onSubmit={(event) => void register(event)} noValidate>
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
          onChange={(event) => {
            type(event.currentTarget.value);
          }}
          onBlur={() => setProblem(problemOfUri(uri, 'redirect URI'))}
        />
      )}
      {failure !== null && (
        <p className={classes.failure} role="alert">
          {failure}
        </p>
      )}
      <div className={classes.buttons}>
        <Button type="submit" variant="filled" loading={busy}>
          Register
        </Button>
        <Button variant="subtle" onClick={() => onDone(null)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
