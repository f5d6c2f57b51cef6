import { Autocomplete, SegmentedControl, Switch } from '@mantine/core';
import { useChoice } from '../choice.ts';
import type { AuthorizeWay } from '../flow-inputs.ts';
import { setInputs, useFlow } from '../flow-store.ts';
import { AudienceSelect } from './AudienceSelect.tsx';
import { ScopeInput } from './ScopeInput.tsx';
import { UserSelect } from './UserSelect.tsx';
import classes from './Steps.module.css';

const WAYS: { value: AuthorizeWay; label: string }[] = [
  { value: 'browser', label: 'At /authorize' },
  { value: 'person', label: 'In your browser' },
  { value: 'control', label: 'Issue directly' },
];

const WAY_WORDS: Record<AuthorizeWay, string> = {
  browser: 'As an app and a browser do: the request, the sign-in page, the redirect.',
  person:
    'You sign in yourself, in your browser. The code is received at a redirect URI of the client on this machine; none is added without your asking.',
  control: 'Issued directly, without a sign-in. No HTTP request is sent.',
};

/** For whom the code is issued, and for what. */
export function CodeInputs() {
  const { client, redirect_uri } = useChoice();
  const { pkce, push, authorize } = useFlow((state) => state.inputs);
  const required = client?.client_secret === null;
  return (
    <div className={classes.fields}>
      <div>
        <SegmentedControl
          fullWidth
          orientation="vertical"
          aria-label="How the code is issued"
          value={authorize}
          onChange={(way) => setInputs({ authorize: way })}
          data={WAYS}
        />
        <p className={classes.remark}>{WAY_WORDS[authorize]}</p>
      </div>
      <UserSelect />
      <Autocomplete
        label="Redirect URI"
        value={redirect_uri}
        onChange={(uri) => setInputs({ redirect_uri: uri })}
        data={[...(client?.redirect_uris ?? [])]}
      />
      <AudienceSelect none="None: decided when the code is exchanged" />
      <ScopeInput />
      <Switch
        label="PKCE challenge (S256)"
        checked={pkce || required}
        disabled={required}
        description={
          required
            ? 'Always sent: the client is public, so PKCE is required (RFC 9700 2.1.1).'
            : null
        }
        onChange={(event) => setInputs({ pkce: event.currentTarget.checked })}
      />
      {authorize !== 'control' && (
        <Switch
          label="Push the request (PAR)"
          checked={push}
          onChange={(event) => setInputs({ push: event.currentTarget.checked })}
        />
      )}
    </div>
  );
}
