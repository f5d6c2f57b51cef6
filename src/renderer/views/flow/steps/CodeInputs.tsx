import { Autocomplete, SegmentedControl, Select, Switch, TextInput } from '@mantine/core';
import { usePage } from '../../../connection/state.ts';
import { useChoice } from '../choice.ts';
import type { AuthorizeWay } from '../flow-state.ts';
import { setInputs, useFlow } from '../flow-store.ts';
import classes from './Steps.module.css';

const NO_AUDIENCE = 'none';

const WAYS: { value: AuthorizeWay; label: string }[] = [
  { value: 'browser', label: 'At /authorize' },
  { value: 'control', label: 'Issue directly' },
];

const WAY_WORDS: Record<AuthorizeWay, string> = {
  browser: 'As an app and a browser do: the request, the sign-in page, the redirect.',
  control: 'Issued directly, without a sign-in. No HTTP request is sent.',
};

/** For whom the code is issued, and for what. */
export function CodeInputs() {
  const { client, user, redirect_uri, audience } = useChoice();
  const { scope, pkce, authorize } = useFlow((state) => state.inputs);
  const users = usePage((state) => state.users);
  const audiences = usePage((state) => state.audiences);
  const issuer = usePage((state) => state.server?.issuer ?? '');
  const others = audiences.filter(({ uri }) => uri !== issuer);
  return (
    <div className={classes.fields}>
      <div>
        <SegmentedControl
          fullWidth
          aria-label="How the code is issued"
          value={authorize}
          onChange={(way) => setInputs({ authorize: way })}
          data={WAYS}
        />
        <p className={classes.remark}>{WAY_WORDS[authorize]}</p>
      </div>
      <Select
        label="User"
        allowDeselect={false}
        value={user?.sub ?? null}
        onChange={(sub) => setInputs({ sub })}
        data={users.map(({ sub, name }) => ({
          value: sub,
          label: name === '' ? sub : `${name} (${sub})`,
        }))}
      />
      <Autocomplete
        label="Redirect URI"
        value={redirect_uri}
        onChange={(uri) => setInputs({ redirect_uri: uri })}
        data={[...(client?.redirect_uris ?? [])]}
      />
      <Select
        label="Audience"
        allowDeselect={false}
        value={audience === '' ? NO_AUDIENCE : audience}
        onChange={(uri) => setInputs({ audience: uri === NO_AUDIENCE ? '' : uri })}
        data={[
          { value: issuer, label: `${issuer} (this server)` },
          ...others.map(({ uri, name }) => ({
            value: uri,
            label: name === '' ? uri : `${name} (${uri})`,
          })),
          { value: NO_AUDIENCE, label: 'None: decided when the code is exchanged' },
        ]}
      />
      <TextInput
        label="Scope"
        placeholder="openid profile"
        value={scope}
        spellCheck={false}
        onChange={(event) => setInputs({ scope: event.currentTarget.value })}
      />
      <Switch
        label="PKCE challenge (S256)"
        checked={pkce}
        onChange={(event) => setInputs({ pkce: event.currentTarget.checked })}
      />
    </div>
  );
}
