import type { UseFormReturnType } from '@mantine/form';
import {
  TextInput,
  Select,
  Switch,
  Checkbox,
  NumberInput,
  Radio,
  Stack,
  Box,
  Group,
  type SelectProps,
  Button,
} from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { fieldAt, type Field, type PathIn } from '../../../control/fields.ts';
import { clientSchema, type Client } from '../../../control/schemas.ts';
import {
  AUTH_METHODS,
  PROFILES,
  REQUEST_OBJECT_ALGS,
  RESPONSE_ALGS,
} from '../../../control/names.ts';
import { durationInWords } from '../../../words.ts';
import { newSecret } from '../../ui/random.ts';
import { CopyButton, IconButton } from '../../ui/buttons.tsx';
import { JsonField, ClaimsField } from '../../ui/JsonField.tsx';
import { BELOW, choicesOf, memberProps, MONO } from '../../ui/field-props.ts';
import { FieldGrid, ItemRows } from '../../ui/record-form.tsx';
import { discoveryNote } from '../../connect-app/discovery.ts';
import { usePage } from '../../connection/state.ts';
import classes from '../../ui/form.module.css';
import {
  APP_KINDS,
  type ClientDraft,
  isAppKind,
  kindOf,
  secretFor,
  takesSecret,
  withKind,
} from './client-draft.ts';
import { Hint } from '../../ui/panel.tsx';
import { numberField } from '../../ui/number-field.tsx';
import { useAudienceOptions } from '../../ui/audience-options.ts';

/** Props of each group of the client form's fields. */
interface ClientFieldsProps {
  readonly form: UseFormReturnType<ClientDraft>;
}

const clientField = (path: PathIn<Client>): Field => fieldAt(clientSchema, path);

const inputOf = (form: ClientFieldsProps['form'], path: PathIn<Client>) =>
  memberProps(clientSchema, form, path);

interface MemberProps extends ClientFieldsProps {
  readonly path: PathIn<Client>;
}

const Flag = ({ form, path }: MemberProps) => (
  <Switch
    label={clientField(path).label}
    description={clientField(path).help}
    {...form.getInputProps(path, { type: 'checkbox' })}
  />
);

interface OptionalProps extends MemberProps {
  /** What applies while it is empty. */
  readonly otherwise: string;
  readonly description?: string;
}

function OptionalChoice(props: OptionalProps & Pick<SelectProps, 'data' | 'searchable'>) {
  const { form, path, otherwise, ...select } = props;
  return (
    <Select
      {...select}
      placeholder={otherwise}
      clearable
      allowDeselect
      clearButtonProps={{ 'aria-label': `Clear ${lower(clientField(path).label)}` }}
      {...inputOf(form, path)}
    />
  );
}

const OptionalNumber = ({ form, path, otherwise, description }: OptionalProps) => (
  <NumberInput
    {...numberField(clientSchema, path)}
    placeholder={otherwise}
    description={description}
    {...BELOW}
    {...form.getInputProps(path)}
  />
);

const lower = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

function SecretField({ form }: ClientFieldsProps) {
  const [shown, setShown] = useState(false);
  const reveal = shown ? 'Hide secret' : 'Reveal secret';
  const generate = () => form.setFieldValue('client_secret', newSecret());
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <TextInput
        flex={1}
        type={shown ? 'text' : 'password'}
        autoComplete="off"
        {...MONO}
        {...inputOf(form, 'client_secret')}
      />
      <Group gap={0} wrap="nowrap" pt="calc(var(--fs-s) * var(--lh) + var(--s1h))">
        <IconButton
          label={reveal}
          icon={shown ? IconEyeOff : IconEye}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
        <Button variant="subtle" px="var(--s1h)" aria-label="Generate secret" onClick={generate}>
          Generate
        </Button>
        <CopyButton value={form.getValues().client_secret} label="Copy secret" />
      </Group>
    </Group>
  );
}

const METHODS = choicesOf(clientField('token_endpoint_auth_method'));

const EXAMPLE = '{ "keys": [{ "kty": "EC", "crv": "P-256", "kid": "…", "x": "…", "y": "…" }] }';

function Authentication({ form }: ClientFieldsProps) {
  const { token_endpoint_auth_method: method, client_secret } = form.getValues();
  const choose = (name: string | null) => {
    const chosen = AUTH_METHODS.find((one) => one === name);
    if (chosen === undefined) return;
    const former = form.getInitialValues().client_secret;
    form.setFieldValue('token_endpoint_auth_method', chosen);
    form.setFieldValue('client_secret', secretFor(chosen, client_secret, former));
  };
  return (
    <>
      <Select data={METHODS} {...inputOf(form, 'token_endpoint_auth_method')} onChange={choose} />
      {method === 'none' && (
        <Hint>A public client has no secret. The interop profile accepts it with PKCE alone.</Hint>
      )}
      {method === 'private_key_jwt' && (
        <>
          <JsonField
            description="The interop profile accepts assertions signed with one of these keys."
            placeholder={EXAMPLE}
            {...inputOf(form, 'jwks')}
          />
          <TextInput
            description={clientField('jwks_uri').help}
            placeholder="http://localhost:3000/jwks.json"
            {...MONO}
            {...inputOf(form, 'jwks_uri')}
          />
        </>
      )}
      {takesSecret(method) ? (
        <SecretField form={form} />
      ) : (
        client_secret !== '' && <Hint>The interop profile also accepts its secret.</Hint>
      )}
    </>
  );
}

const TYPES = choicesOf(clientField('application_type'));
const GRANTS = choicesOf(clientField('grant_types'));

/** What kind of app a new client is: what the fields below begin with. */
function KindField({ form }: ClientFieldsProps) {
  const choose = (chosen: string) => {
    if (isAppKind(chosen)) form.setValues(withKind(form.getValues(), chosen));
  };
  return (
    <Radio.Group label="Kind of app" value={kindOf(form.getValues())} onChange={choose}>
      <FieldGrid pt="xs">
        {Object.entries(APP_KINDS).map(([value, { label, text }]) => (
          <Radio key={value} value={value} label={label} description={text} />
        ))}
      </FieldGrid>
    </Radio.Group>
  );
}

/** Who the client is, how it authenticates, and which grants it may use. */
export function ClientIdentity({ form, isNew }: ClientFieldsProps & { readonly isNew: boolean }) {
  return (
    <fieldset className={classes.group}>
      <legend>Identity</legend>
      {isNew && <KindField form={form} />}
      <FieldGrid>
        <TextInput
          placeholder={clientField('client_name').help}
          autoFocus={isNew}
          dir="auto"
          {...inputOf(form, 'client_name')}
        />
        <TextInput
          {...MONO}
          readOnly={!isNew}
          description={
            isNew ? null : 'Cannot be changed later; duplicate the client to choose another.'
          }
          {...BELOW}
          {...inputOf(form, 'client_id')}
        />
      </FieldGrid>
      <Authentication form={form} />
      <Checkbox.Group {...inputOf(form, 'grant_types')}>
        {GRANTS.map(({ value, label }) => (
          <Checkbox
            key={value}
            mt="xs"
            value={value}
            label={<code>{value}</code>}
            description={label}
          />
        ))}
      </Checkbox.Group>
      <Select data={TYPES} {...inputOf(form, 'application_type')} />
    </fieldset>
  );
}

interface UriListProps extends ClientFieldsProps {
  readonly field: 'redirect_uris' | 'post_logout_redirect_uris';
  /** Names one of them: "Redirect URI". */
  readonly name: string;
  readonly placeholder: string;
}

/** URIs that are compared character by character, with one field each. */
export function UriList({ form, field, name, placeholder }: UriListProps) {
  const { label, help } = clientField(field);
  return (
    <fieldset className={classes.group}>
      <legend>{label}</legend>
      <Hint>{help}</Hint>
      <ItemRows
        form={form}
        path={field}
        items={form.getValues()[field]}
        what={lower(name)}
        blank=""
      >
        {(index, remove) => (
          <Group gap={4} wrap="nowrap" align="flex-start">
            <TextInput
              flex={1}
              aria-label={`${name} ${index + 1}`}
              placeholder={placeholder}
              {...MONO}
              {...form.getInputProps(`${field}.${index}`)}
            />
            {remove}
          </Group>
        )}
      </ItemRows>
    </fieldset>
  );
}

const PROFILE_DATA = [...PROFILES];
const FORMATS = choicesOf(clientField('access_token_format'));

/** How strictly the client's requests are validated, and what its tokens contain. Empty means the workspace default. */
export function ClientTokens({ form }: ClientFieldsProps) {
  const audiences = useAudienceOptions();
  const settings = usePage((state) => state.settings);
  if (settings === null) return null;
  const { lifetimes } = settings;
  const typed = form.getValues();
  const undiscovered = discoveryNote(typed.profile, settings.profile);
  const wordsOf = (lifetime: number | string, otherwise: number) =>
    durationInWords(lifetime === '' ? otherwise : Number(lifetime));
  return (
    <fieldset className={classes.group}>
      <legend>Validation and tokens</legend>
      <OptionalChoice
        form={form}
        path="default_audience"
        otherwise="The issuer itself"
        searchable
        data={audiences}
      />
      <FieldGrid>
        <OptionalChoice
          form={form}
          path="profile"
          otherwise={`Workspace default: ${settings.profile}`}
          data={PROFILE_DATA}
        />
        <OptionalChoice
          form={form}
          path="access_token_format"
          otherwise={`Workspace default: ${settings.access_token_format}`}
          data={FORMATS}
        />
      </FieldGrid>
      {undiscovered !== null && <Hint>{undiscovered}</Hint>}
      <FieldGrid>
        <OptionalNumber
          form={form}
          path="access_token_expires_in"
          otherwise={`Default: ${lifetimes.access_token}`}
          description={wordsOf(typed.access_token_expires_in, lifetimes.access_token)}
        />
        <OptionalNumber
          form={form}
          path="refresh_token_expires_in"
          otherwise={`Default: ${lifetimes.refresh_token}`}
          description={wordsOf(typed.refresh_token_expires_in, lifetimes.refresh_token)}
        />
        <OptionalNumber form={form} path="default_max_age" otherwise="None" />
      </FieldGrid>
      <ClaimsField
        description="JSON members added to every access token issued to this client."
        {...form.getInputProps('claims')}
      />
      <Flag form={form} path="require_auth_time" />
      <Flag form={form} path="claims_in_id_token" />
    </fieldset>
  );
}

function ClientRequirements({ form }: ClientFieldsProps) {
  return (
    <fieldset className={classes.group}>
      <legend>Requirements</legend>
      <Switch
        label={clientField('require_pushed_authorization_requests').label}
        {...form.getInputProps('require_pushed_authorization_requests', { type: 'checkbox' })}
      />
      <Flag form={form} path="dpop_bound_access_tokens" />
    </fieldset>
  );
}

const SIGNED = [
  {
    field: 'request_object_signing_alg',
    data: [...REQUEST_OBJECT_ALGS],
    otherwise: 'Any except none',
  },
  { field: 'authorization_signed_response_alg', data: [...RESPONSE_ALGS], otherwise: 'RS256' },
  { field: 'userinfo_signed_response_alg', data: [...RESPONSE_ALGS], otherwise: 'Not signed' },
  { field: 'introspection_signed_response_alg', data: [...RESPONSE_ALGS], otherwise: 'RS256' },
] as const;

/** Which algorithms sign the client's requests and the responses to it. Empty means what the description says. */
function ClientSignatures({ form }: ClientFieldsProps) {
  return (
    <fieldset className={classes.group}>
      <legend>Signed requests and responses</legend>
      <FieldGrid minColWidth="15rem">
        {SIGNED.map(({ field, ...choice }) => (
          <OptionalChoice
            key={field}
            form={form}
            path={field}
            description={clientField(field).help}
            {...choice}
          />
        ))}
      </FieldGrid>
      <Flag form={form} path="require_signed_request_object" />
    </fieldset>
  );
}

const EXTRAS = ['post_logout_redirect_uris', 'backchannel_logout_uri', 'throttle'];

/** Rarely used members. They are folded unless the client has one of them or a field has an error. */
export function ClientExtras({ form }: ClientFieldsProps) {
  const initial = form.getInitialValues();
  const isUsed =
    initial.require_pushed_authorization_requests ||
    initial.dpop_bound_access_tokens ||
    initial.post_logout_redirect_uris.length > 0 ||
    initial.backchannel_logout_uri !== '' ||
    initial.backchannel_logout_session_required ||
    initial.require_signed_request_object ||
    SIGNED.some(({ field }) => initial[field] !== null) ||
    initial.throttle.limit !== '' ||
    initial.throttle.window_seconds !== '';
  const [isOpen, setOpen] = useState(isUsed);
  const hasFault = Object.keys(form.errors).some((path) =>
    EXTRAS.includes(path.split('.')[0] ?? ''),
  );
  return (
    <details open={isOpen || hasFault} onToggle={(event) => setOpen(event.currentTarget.open)}>
      {/* A field with an error stays visible. */}
      <Box
        component="summary"
        w="fit-content"
        fw="bold"
        style={{ cursor: 'pointer' }}
        onClick={(event) => hasFault && event.preventDefault()}
      >
        PAR, DPoP, signatures, logout and throttling
      </Box>
      <Stack gap="xl" pt="md">
        <ClientRequirements form={form} />
        <ClientSignatures form={form} />
        <UriList
          form={form}
          field="post_logout_redirect_uris"
          name="Logout URI"
          placeholder="https://app.example/goodbye"
        />
        <TextInput
          description={clientField('backchannel_logout_uri').help}
          placeholder="http://localhost:3000/backchannel-logout"
          {...MONO}
          {...inputOf(form, 'backchannel_logout_uri')}
        />
        <Flag form={form} path="backchannel_logout_session_required" />
        <ClientThrottle form={form} />
      </Stack>
    </details>
  );
}

/** The client's own limit. Empty means the workspace default. */
function ClientThrottle({ form }: ClientFieldsProps) {
  const throttle = usePage((state) => state.settings?.throttle);
  if (throttle === undefined) return null;
  return (
    <fieldset className={classes.group}>
      <legend>{clientField('throttle').label}</legend>
      <Hint>
        Applies to each code or refresh token and address. Leave empty to use the workspace default.
      </Hint>
      <FieldGrid>
        <OptionalNumber
          form={form}
          path="throttle.limit"
          otherwise={`Default: ${throttle.limit}`}
        />
        <OptionalNumber
          form={form}
          path="throttle.window_seconds"
          otherwise={`Default: ${throttle.window_seconds}`}
        />
      </FieldGrid>
    </fieldset>
  );
}
