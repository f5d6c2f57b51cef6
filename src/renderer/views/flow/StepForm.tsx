// The form of each card. Its fields edit the members of the step.

import {
  Autocomplete,
  PasswordInput,
  SegmentedControl,
  type SegmentedControlItem,
  type SegmentedControlProps,
  Select,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { BodyFormat } from '../../../oauth/fields.ts';
import { documentedFormat } from '../../../oauth/token-request.ts';
import { actionOf } from '../../../scenario/actions/names.ts';
import { type Credential, WALK_STEPS, type WalkStepId } from '../../../scenario/walks.ts';
import { usePage } from '../../connection/state.ts';
import { Cited } from '../../ui/links.tsx';
import {
  ANY_PASSWORD,
  audienceOf,
  type AuthorizeWay,
  memberAt,
  calledBy,
  presentedBy,
  withMember,
  withCalled,
  withPresented,
  fieldsPath,
} from './flow-document.ts';
import { isUsable, valueOf } from './flow-state.ts';
import { changeDocument, useChoice, useFlow } from './flow-store.ts';
import { ClientForm } from './ClientForm.tsx';
import { IconButton } from '../../ui/buttons.tsx';
import { Hint } from '../../ui/panel.tsx';
import { userChoices } from '../../ui/short-forms.ts';
import { useAudienceOptions } from '../../ui/audience-options.ts';

interface OfStep {
  readonly id: WalkStepId;
}

/** A member of the step's action; undefined while the runner decides. */
function useMember(id: WalkStepId, path: readonly string[]) {
  const value = useFlow((state) => memberAt(state.document.steps[id], path));
  const set = (now: unknown) => changeDocument((document) => withMember(document, id, path, now));
  return [value, set] as const;
}

const useField = (id: WalkStepId, name: string) => useMember(id, [...fieldsPath(id), name]);

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function UserField() {
  const { user } = useChoice();
  const users = usePage((state) => state.users);
  return (
    <Select
      label="User"
      searchable
      value={user?.sub ?? null}
      onChange={(sub) => changeDocument((document) => ({ ...document, sub }))}
      data={userChoices(users)}
    />
  );
}

interface TextFieldProps extends OfStep {
  readonly label: string;
  /** The parameter, which is not sent if the field is empty. */
  readonly name: string;
  readonly placeholder: string;
}

function TextField({ id, label, name, placeholder }: TextFieldProps) {
  const [value, setValue] = useField(id, name);
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={textOf(value)}
      spellCheck={false}
      onChange={({ currentTarget: { value: typed } }) => setValue(typed === '' ? undefined : typed)}
    />
  );
}

function ScopeField({ id }: OfStep) {
  const placeholder = id === 'refresh' ? 'as granted' : 'openid profile';
  return <TextField id={id} label="Scope" name="scope" placeholder={placeholder} />;
}

const NO_AUDIENCE = 'none';

/** What follows when a request names no audience; by default that of the client. */
const WITHOUT_AUDIENCE: Partial<Readonly<Record<WalkStepId, string>>> = {
  code: 'decided when the code is exchanged',
  swap: 'same as the subject token',
};

function AudienceField({ id }: OfStep) {
  const [, setAudience] = useField(id, 'audience');
  const choice = useChoice();
  const audience = useFlow(({ document }) => audienceOf(id, document, choice));
  const { issuer } = choice;
  const options = useAudienceOptions();
  return (
    <Select
      label="Audience"
      searchable
      value={audience ?? NO_AUDIENCE}
      onChange={(uri) => setAudience(uri === NO_AUDIENCE ? null : uri)}
      data={[
        { value: issuer, label: `${issuer} (this server)` },
        ...options,
        { value: NO_AUDIENCE, label: `None: ${WITHOUT_AUDIENCE[id] ?? 'the client’s default'}` },
      ]}
    />
  );
}

interface FollowedInputProps {
  readonly label: string;
  /** The value that the step would send now. */
  readonly value: string;
  /** Whether the user typed the value; otherwise it follows from earlier steps. */
  readonly typed: boolean;
  readonly placeholder?: string;
  /** undefined: use the value of earlier steps again. */
  readonly onChange: (value: string | undefined) => void;
}

/** A field that shows the value of earlier steps until the user types into it. */
function FollowedInput({ label, value, typed, placeholder, onChange }: FollowedInputProps) {
  const back = (
    <IconButton
      label={`${label}: use the flow’s value`}
      tip="Use the flow’s value"
      icon={IconArrowBackUp}
      onClick={() => onChange(undefined)}
    />
  );
  return (
    <TextInput
      label={label}
      value={value}
      spellCheck={false}
      autoComplete="off"
      placeholder={placeholder}
      rightSection={typed && back}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface FollowedFieldProps extends OfStep {
  readonly label: string;
  readonly name: string;
  readonly variable: string;
  readonly placeholder?: string;
  /** Sent while no step has provided a value. */
  readonly otherwise?: string;
}

function FollowedField({ id, name, variable, otherwise = '', ...field }: FollowedFieldProps) {
  const [value, setValue] = useField(id, name);
  const initial = memberAt(WALK_STEPS[id].step, [...fieldsPath(id), name]);
  const known = useFlow((state) => state.variables[variable]);
  const typed = value !== initial;
  return (
    <FollowedInput
      {...field}
      value={typed ? textOf(value) : textOf(known) || otherwise}
      typed={typed}
      onChange={(now) => setValue(now ?? initial)}
    />
  );
}

/** The client's secret as it will be sent, masked until revealed. */
function SecretField({ id }: OfStep) {
  const [secret, setSecret] = useField(id, 'client_secret');
  const { client } = useChoice();
  return (
    <PasswordInput
      label="Client secret"
      value={textOf(secret === undefined ? client?.client_secret : secret)}
      autoComplete="off"
      visibilityToggleButtonProps={{ 'aria-label': 'Reveal client secret', tabIndex: 0 }}
      onChange={({ currentTarget: { value } }) => setSecret(value === '' ? null : value)}
    />
  );
}

type SegmentsProps<V extends string> = SegmentedControlProps<V> & { readonly meaning?: ReactNode };

/** A choice between a few words, and what the chosen one means. */
const Segments = <V extends string>({ meaning, ...control }: SegmentsProps<V>) => (
  <div>
    <SegmentedControl fullWidth {...control} />
    {meaning !== undefined && <Hint mt="var(--s1)">{meaning}</Hint>}
  </div>
);

const FORMATS: SegmentedControlItem<BodyFormat>[] = [
  { value: 'json', label: 'JSON' },
  { value: 'form', label: 'Form' },
];

function FormatField({ id }: OfStep) {
  const [chosen, setChosen] = useMember(id, ['token', 'format']);
  const documented = documentedFormat(WALK_STEPS[id].step.token?.grant ?? '');
  const rule = documented === 'json' ? 'JSON (spec 4.1.1)' : 'a form (spec 4.1.2)';
  const format = chosen === 'json' || chosen === 'form' ? chosen : documented;
  const why = `The specification documents ${rule} for this grant. Strict rejects other formats.`;
  return (
    <Segments
      aria-label="Body"
      value={format}
      onChange={(value) => setChosen(value === documented ? undefined : value)}
      data={FORMATS}
      meaning={format === documented ? undefined : <Cited text={why} />}
    />
  );
}

const WAYS: SegmentedControlItem<AuthorizeWay>[] = [
  { value: 'browser', label: 'Simulated' },
  { value: 'person', label: 'In your browser' },
  { value: 'control', label: 'Issue directly' },
];

const WAY_WORDS: Record<AuthorizeWay, string> = {
  browser: 'Sends what an app and its browser send: authorization request, sign-in and redirect.',
  person:
    'You sign in yourself, in your browser. This page receives the code at one of the client’s redirect URIs on this machine. It asks before it adds one.',
  control: 'Issued directly, without a sign-in. No HTTP request is sent.',
};

const HYBRID =
  'The redirect also has an ID token, in its fragment. The client needs the grant implicit and the profile interop.';

/** Whether the redirect has an ID token beside the code (OpenID Connect Core 3.3). */
function ResponseTypeField() {
  const [response_type, setType] = useField('code', 'response_type');
  const [, setNonce] = useField('code', 'nonce');
  const isHybrid = response_type !== undefined;
  return (
    <Select
      label="Response type"
      value={isHybrid ? 'code id_token' : 'code'}
      allowDeselect={false}
      description={isHybrid ? HYBRID : null}
      inputWrapperOrder={['label', 'input', 'description']}
      data={['code', 'code id_token']}
      onChange={(chosen) => {
        const wanted = chosen === 'code id_token';
        setType(wanted ? chosen : undefined);
        setNonce(wanted ? crypto.randomUUID() : undefined);
      }}
    />
  );
}

const SIGNED = {};

/** Why a switch of the authorization request is locked. */
const REQUIRED = {
  pkce: 'Always sent: the client is public, so PKCE is required (RFC 9700 2.1.1).',
  push: 'Always pushed: this client or the settings require it (RFC 9126 5).',
  request_object: 'Always signed: this client requires it (RFC 9101 10.5).',
} as const;

interface CodeSwitchProps {
  readonly label: string;
  /** The member of the step, which has this value while the switch is on. */
  readonly name: keyof typeof REQUIRED;
  readonly value: unknown;
}

function CodeSwitch({ label, name, value }: CodeSwitchProps) {
  const [current, setCurrent] = useMember('code', ['authorize', name]);
  const required = useChoice().requires[name];
  return (
    <Switch
      label={label}
      checked={current !== undefined || required}
      disabled={required}
      description={required ? REQUIRED[name] : null}
      onChange={({ currentTarget: { checked } }) => setCurrent(checked ? value : undefined)}
    />
  );
}

function CodeForm({ id }: OfStep) {
  const { client } = useChoice();
  const way = useFlow((state) => state.document.way);
  const [redirect_uri, setRedirectUri] = useField(id, 'redirect_uri');
  return (
    <>
      <Segments
        orientation="vertical"
        aria-label="How the code is issued"
        value={way}
        onChange={(chosen) => changeDocument((document) => ({ ...document, way: chosen }))}
        data={WAYS}
        meaning={WAY_WORDS[way]}
      />
      <UserField />
      <Autocomplete
        label="Redirect URI"
        value={typeof redirect_uri === 'string' ? redirect_uri : (client?.redirect_uris[0] ?? '')}
        onChange={setRedirectUri}
        data={[...(client?.redirect_uris ?? [])]}
      />
      {way === 'browser' && <ResponseTypeField />}
      <AudienceField id={id} />
      <ScopeField id={id} />
      {way !== 'control' && (
        <TextField id={id} label="acr values" name="acr_values" placeholder="Any sign-in" />
      )}
      <CodeSwitch label="PKCE challenge (S256)" name="pkce" value="S256" />
      {way !== 'control' && <CodeSwitch label="Push the request (PAR)" name="push" value />}
      {way === 'browser' && (
        <CodeSwitch label="Sign the request (JAR)" name="request_object" value={SIGNED} />
      )}
    </>
  );
}

/** What the code was issued for, and its token request repeats (spec 4.1.1). */
function CodeFacts({ id }: OfStep) {
  const { client, issuer } = useChoice();
  return (
    <>
      <FollowedField
        id={id}
        label="Redirect URI"
        name="redirect_uri"
        variable="redirect_uri"
        otherwise={client?.redirect_uris[0] ?? ''}
      />
      <FollowedField
        id={id}
        label="Audience"
        name="audience"
        variable="audience"
        otherwise={client?.default_audience ?? issuer}
      />
    </>
  );
}

type Decision = 'approve_device' | 'deny_device';

const DECISIONS: SegmentedControlItem<Decision>[] = [
  { value: 'approve_device', label: 'Approve' },
  { value: 'deny_device', label: 'Deny' },
];

/** The user's decision, which the control API carries out. */
function DecideForm() {
  const action = useFlow((state) => actionOf(state.document.steps.decide));
  const decide = (chosen: Decision) =>
    changeDocument((document) => ({
      ...document,
      steps: { ...document.steps, decide: { [chosen]: {} } },
    }));
  return (
    <>
      <Segments
        aria-label="Decision"
        value={action === 'deny_device' ? 'deny_device' : 'approve_device'}
        onChange={decide}
        data={DECISIONS}
        meaning="Decided over the control API, without a sign-in. To decide as a user, open the page before you run this step."
      />
      {action === 'approve_device' && <UserField />}
    </>
  );
}

/** The password of the user (RFC 6749 4.3.2). */
function PasswordField({ id }: OfStep) {
  const { user } = useChoice();
  const [password, setPassword] = useField(id, 'password');
  const has = user?.has_password === true;
  const open = user !== null && !has && !user.locked;
  return (
    <PasswordInput
      label="Password"
      value={typeof password === 'string' ? password : has ? '' : ANY_PASSWORD}
      autoComplete="off"
      description={open ? 'This user has no password, so any password is accepted.' : null}
      visibilityToggleButtonProps={{ 'aria-label': 'Reveal password', tabIndex: 0 }}
      onChange={(event) => setPassword(event.currentTarget.value)}
    />
  );
}

const TOKEN_PLACES = [
  { value: 'header', label: 'In the header' },
  { value: 'body', label: 'In a form' },
];

/** The call to userinfo or to a protected API with the access token (RFC 6750 2.1, 2.2). */
function ApiForm() {
  const document = useFlow((state) => state.document);
  const newest = useFlow((state) => valueOf(state, 'access_token'));
  const called = calledBy(document, useChoice());
  const presented = presentedBy(document.steps.api);
  const set = (change: Partial<typeof presented>) =>
    changeDocument((now) => withPresented(now, { ...presented, ...change }));
  return (
    <>
      <FollowedInput
        label="Path"
        value={called.path}
        typed={called.typed}
        onChange={(path) => changeDocument((now) => withCalled(now, path))}
      />
      <Segments
        aria-label="Token"
        value={presented.in_form ? 'body' : 'header'}
        onChange={(place) => set({ in_form: place === 'body' })}
        data={TOKEN_PLACES}
      />
      <FollowedInput
        label="Access token"
        value={presented.typed ?? newest ?? ''}
        typed={presented.typed !== null}
        placeholder="From the newest response"
        onChange={(typed) => set({ typed: typed ?? null })}
      />
    </>
  );
}

const CREDENTIAL_WORDS: Partial<Record<Credential, readonly [label: string, placeholder: string]>> =
  {
    code: ['Code', 'Issued when the step runs'],
    device_code: ['Device code', 'Requested when the step runs'],
    subject_token: ['Subject token', 'Issued when the step runs'],
    assertion: ['Assertion', 'Signed when the step runs'],
    refresh_token: ['Refresh token', 'From the newest response'],
  };

/** The credential that an earlier step provides; a new one replaces a spent one when the step runs. */
function CredentialField({ id }: OfStep) {
  const choice = useChoice();
  const name = WALK_STEPS[id].needs ?? 'code';
  const isThere = useFlow((state) => isUsable(state, name, choice));
  const [label = '', placeholder = ''] = CREDENTIAL_WORDS[name] ?? [];
  return (
    <FollowedField
      id={id}
      label={label}
      placeholder={placeholder}
      name={name}
      variable={isThere ? name : ''}
    />
  );
}

const KeyHint = () => (
  <Hint>Signed with ES256 and valid for 5 minutes. The key is kept while this page is open.</Hint>
);

type Part = (of: OfStep) => ReactNode;

const FORMS: Readonly<Record<WalkStepId, readonly Part[]>> = {
  client: [ClientForm],
  code: [CodeForm],
  exchange: [FormatField, CredentialField, CodeFacts, SecretField],
  device: [AudienceField, ScopeField],
  decide: [DecideForm],
  poll: [CredentialField],
  password: [UserField, PasswordField, AudienceField, ScopeField],
  client_credentials: [AudienceField, ScopeField],
  subject: [UserField, ScopeField],
  swap: [CredentialField, AudienceField],
  assertion: [UserField, KeyHint],
  bearer: [CredentialField, AudienceField, ScopeField],
  token: [],
  refresh: [FormatField, CredentialField, ScopeField, SecretField],
  api: [ApiForm],
};

export function StepForm({ id }: OfStep) {
  return (
    <Stack gap="var(--s2h)">
      {FORMS[id].map((Part, index) => (
        <Part key={index} id={id} />
      ))}
    </Stack>
  );
}
