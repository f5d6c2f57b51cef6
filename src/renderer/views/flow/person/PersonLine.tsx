import { Button } from '@mantine/core';
import { attempt } from '../../../actions/sandbox.ts';
import { addRedirectUri } from '../add-redirect-uri.ts';
import { useChoice } from '../choice.ts';
import { setInputs, useFlow } from '../flow-store.ts';
import { runStep } from '../run.ts';
import line from '../StepLine.module.css';
import { openInBrowser } from './open-in-browser.ts';
import classes from './Person.module.css';
import { cancelSignIn } from './sign-in.ts';

/** Registers the redirect URI that the button names, and signs in with it. */
function Offer({ offer }: { readonly offer: string }) {
  const { client } = useChoice();
  const busy = useFlow((state) => state.running !== null);
  if (client === null || busy) return null;
  const add = async () => {
    if (!(await addRedirectUri(client, offer))) return;
    setInputs({ redirect_uri: offer });
    await runStep('code');
  };
  return (
    <div className={line.line}>
      <Button onClick={() => void add()}>Add a redirect URI and sign in</Button>
      <p className={line.note}>
        Adds <code>{offer}</code> to the redirect URIs of <b>{client.client_id}</b>.
      </p>
    </div>
  );
}

/** While a person signs in: what is waited for, the page once more, and the way out. */
export function PersonLine() {
  const person = useFlow((state) => state.person);
  if (person === null) return null;
  if (person.kind === 'nowhere') return <Offer offer={person.offer} />;
  const { id, redirect_uri, href } = person;
  return (
    <div className={line.line} role="status">
      <p className={line.note}>
        Sign in at the page in your browser. The code is awaited at <code>{redirect_uri}</code>, for
        5 minutes at most.
      </p>
      <div className={classes.buttons}>
        <Button onClick={() => void attempt('The page was not opened.', () => openInBrowser(href))}>
          Open the page again
        </Button>
        <Button variant="subtle" onClick={() => void cancelSignIn(id)}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
