import { TextInput } from '@mantine/core';
import { useChoice } from '../choice.ts';
import { setInputs, useFlow } from '../flow-store.ts';
import { FollowedInput } from './FollowedInput.tsx';
import { FormatSwitch } from './FormatSwitch.tsx';
import { SecretInput } from './SecretInput.tsx';
import classes from './Steps.module.css';

/** The fields of the refresh_token request (spec 4.1.2). */
export function RefreshInputs() {
  const { refresh } = useChoice();
  const inputs = useFlow((state) => state.inputs);
  return (
    <div className={classes.fields}>
      <FormatSwitch
        value={inputs.refresh_format}
        documented="form"
        onChange={(refresh_format) => setInputs({ refresh_format })}
      />
      <FollowedInput
        label="Refresh token"
        value={refresh.refresh_token}
        typed={inputs.refresh_token !== null}
        placeholder="From the newest response"
        onChange={(refresh_token) => setInputs({ refresh_token })}
      />
      <TextInput
        label="Scope"
        placeholder="as granted"
        value={refresh.scope}
        spellCheck={false}
        onChange={(event) => setInputs({ refresh_scope: event.currentTarget.value })}
      />
      <SecretInput
        value={refresh.client_secret ?? ''}
        onChange={(refresh_secret) => setInputs({ refresh_secret })}
      />
    </div>
  );
}
