import { Button } from '@mantine/core';
import { useChoice } from '../choice.ts';
import line from '../StepLine.module.css';
import classes from './Person.module.css';
import { runAsPerson, runAsPublicClient } from './run-as-person.ts';

/** The flow with oneself at the sign-in page, in one's own browser. */
export function AsPerson({ busy }: { readonly busy: boolean }) {
  const { client } = useChoice();
  return (
    <div className={classes.ways} role="group" aria-label="Sign in yourself, in your browser">
      <p className={line.note}>Or sign in yourself, in your browser:</p>
      {client !== null && (
        <Button disabled={busy} onClick={() => void runAsPerson()}>
          As {client.client_id}
        </Button>
      )}
      <Button disabled={busy} onClick={() => void runAsPublicClient()}>
        As a public client, with PKCE
      </Button>
    </div>
  );
}
