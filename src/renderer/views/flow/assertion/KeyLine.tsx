import { Button } from '@mantine/core';
import { useChoice } from '../choice.ts';
import { useFlow } from '../flow-store.ts';
import { runStep } from '../run.ts';
import classes from '../StepLine.module.css';
import { addPageKey, hasKey, usePageKey } from './page-key.ts';

/** While the client does not have the key that assertions are signed with here: the button that adds it. */
export function KeyLine() {
  const { client } = useChoice();
  const key = usePageKey();
  const busy = useFlow((state) => state.running !== null);
  if (client === null || key === null || busy || hasKey(client, key)) return null;
  const add = async () => {
    if (await addPageKey(client)) await runStep('assertion');
  };
  return (
    <div className={classes.line}>
      <Button onClick={() => void add()}>Add a key and sign</Button>
      <p className={classes.note}>
        Adds <code>{key.kid}</code>, a key of this page, to the keys (<code>jwks</code>) of{' '}
        <b>{client.client_id}</b>; the keys of your app stay. Or paste an assertion of your app in
        the next step.
      </p>
    </div>
  );
}
