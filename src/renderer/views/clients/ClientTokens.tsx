import { NumberInput, Select, Switch } from '@mantine/core';
import { clientSchema } from '../../../control/schemas.ts';
import { PROFILES } from '../../../control/names.ts';
import { discoveryNote } from '../../connect/discovery.ts';
import { durationInWords } from '../../../words.ts';
import { usePage } from '../../connection/state.ts';
import { ClaimsField } from '../../ui/JsonField.tsx';
import classes from '../../ui/form.module.css';
import { numberField } from '../../ui/number-field.tsx';
import { clientField, valuesOf, type ClientFieldsProps } from './client-fields.ts';

const PROFILE_DATA = [...PROFILES];
const FORMATS = valuesOf('access_token_format');

/** How strictly this client's requests are validated and what its tokens carry. Left empty: the workspace's. */
export function ClientTokens({ form }: ClientFieldsProps) {
  const audiences = usePage((state) => state.audiences);
  const settings = usePage((state) => state.settings);
  if (settings === null) return null;
  const { lifetimes } = settings;
  const typed = form.getValues();
  const profile = PROFILES.find((one) => one === typed.profile) ?? null;
  const undiscovered = discoveryNote(profile, settings.profile);
  const wordsOf = (lifetime: number | string, otherwise: number) =>
    durationInWords(lifetime === '' ? otherwise : Number(lifetime));
  const named = audiences.map(({ uri, name }) => ({
    value: uri,
    label: name === '' ? uri : `${name} · ${uri}`,
  }));
  return (
    <fieldset className={classes.group}>
      <legend>Validation and tokens</legend>
      <Select
        label={clientField('default_audience').label}
        placeholder="The issuer itself"
        data={named}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear default audience' }}
        {...form.getInputProps('default_audience')}
      />
      <div className={classes.pair}>
        <Select
          label={clientField('profile').label}
          placeholder={`Workspace: ${settings.profile}`}
          data={PROFILE_DATA}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear profile' }}
          {...form.getInputProps('profile')}
        />
        <Select
          label={clientField('access_token_format').label}
          placeholder={`Workspace: ${settings.access_token_format}`}
          data={FORMATS}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear access token format' }}
          {...form.getInputProps('access_token_format')}
        />
      </div>
      {undiscovered !== null && <p className={classes.note}>{undiscovered}</p>}
      <Switch
        label={clientField('dpop_bound_access_tokens').label}
        description={clientField('dpop_bound_access_tokens').help}
        {...form.getInputProps('dpop_bound_access_tokens', { type: 'checkbox' })}
      />
      <div className={classes.pair}>
        <NumberInput
          {...numberField(clientSchema, 'access_token_expires_in')}
          placeholder={`Workspace: ${lifetimes.access_token}`}
          description={wordsOf(typed.access_token_expires_in, lifetimes.access_token)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          {...form.getInputProps('access_token_expires_in')}
        />
        <NumberInput
          {...numberField(clientSchema, 'refresh_token_expires_in')}
          placeholder={`Workspace: ${lifetimes.refresh_token}`}
          description={wordsOf(typed.refresh_token_expires_in, lifetimes.refresh_token)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          {...form.getInputProps('refresh_token_expires_in')}
        />
      </div>
      <ClaimsField
        description="JSON members added to every access token issued to this client."
        {...form.getInputProps('claims')}
      />
      <Switch
        label={clientField('claims_in_id_token').label}
        description={clientField('claims_in_id_token').help}
        {...form.getInputProps('claims_in_id_token', { type: 'checkbox' })}
      />
    </fieldset>
  );
}
