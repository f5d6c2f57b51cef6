import { Button, PasswordInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState, type SubmitEvent } from 'react';
import { enterToken, hasToken } from '../connection/control.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import classes from './ConnectPage.module.css';

const REFUSED = 'This token was rejected. It may be from an earlier start.';

function TokenForm() {
  const [token, setToken] = useState('');
  const connect = (event: SubmitEvent) => {
    event.preventDefault();
    if (token.trim() !== '') enterToken(token);
  };
  return (
    <form className={classes.form} onSubmit={connect}>
      <PasswordInput
        label="Access token"
        description="The token, or the whole address."
        autoComplete="off"
        autoFocus
        value={token}
        error={hasToken() ? REFUSED : null}
        onChange={(event) => setToken(event.currentTarget.value)}
      />
      <Button type="submit" variant="filled" disabled={token.trim() === ''}>
        Connect
      </Button>
    </form>
  );
}

/** Stands instead of the page when the control token is missing or refused. */
export function ConnectPage() {
  return (
    <main className={classes.page}>
      <h1 className="visually-hidden">Grantbench</h1>
      <EmptyState
        icon={<IconKey size="1.5em" stroke={1.5} />}
        title="Open the address that Grantbench printed"
        text="This page needs the access token in that address, after #token=. A new one is generated at each start, unless GRANTBENCH_CONTROL_TOKEN sets it. Look at the terminal where grantbench runs and open the whole address, or paste it here."
        action={<TokenForm />}
      />
    </main>
  );
}
