import { Button, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { enterToken, hasToken } from '../connection/control.ts';
import { usePage } from '../connection/state.ts';
import { askForToken } from './dialogs.ts';

const REJECTED = 'This token was rejected. It may be from an earlier start.';

function TokenForm() {
  const [token, setToken] = useState('');
  const busy = usePage((state) => state.connection === 'connecting');
  const connect = (event: SubmitEvent) => {
    event.preventDefault();
    if (token.trim() !== '') enterToken(token);
  };
  return (
    <Stack component="form" gap="sm" mt="md" onSubmit={connect}>
      <PasswordInput
        label="Control token"
        description="The token, or the whole address."
        autoComplete="off"
        data-autofocus
        value={token}
        error={hasToken() && !busy ? REJECTED : null}
        onChange={(event) => setToken(event.currentTarget.value)}
      />
      <Button type="submit" variant="filled" loading={busy} disabled={token.trim() === ''}>
        Connect
      </Button>
    </Stack>
  );
}

/** Asks for a control token above the page, which keeps everything that was typed. */
export function TokenDialog() {
  const wanted = usePage((state) => state.token_wanted);
  const loaded = usePage((state) => state.loaded);
  return (
    <Modal
      opened={wanted}
      onClose={() => askForToken(false)}
      title={loaded ? 'Enter the new control token' : 'Open the address that Grantbench printed'}
      size="30rem"
      // Before the first connection there is no page to return to.
      withCloseButton={loaded}
      closeOnEscape={loaded}
      closeOnClickOutside={false}
    >
      <Text c="dimmed">
        {loaded
          ? 'Grantbench rejected this page’s token, probably because it was restarted. What you typed here is kept.'
          : 'This page needs the control token in that address, after #token=.'}{' '}
        A new one is generated at each start, unless GRANTBENCH_CONTROL_TOKEN sets it. Copy the
        whole address from the terminal where grantbench runs, and open it or paste it here.
      </Text>
      <TokenForm />
    </Modal>
  );
}
