import { wordsIn } from '../../../words.ts';
import { Group, MultiSelect, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { fieldAt } from '../../../control/fields.ts';
import {
  API_BOUNDS,
  API_METHODS,
  audienceOfApi,
  patchBetween,
  pathOfApi,
} from '../../../control/names.ts';
import { apiRuleSchema, apiSchema, type Api, type ApiRule } from '../../../control/schemas.ts';
import { deleteApi } from '../../actions/delete-record.ts';
import { control } from '../../connection/control.ts';
import { useIssuer, usePage } from '../../connection/state.ts';
import { choicesOf, memberProps, MONO } from '../../ui/field-props.ts';
import classes from '../../ui/form.module.css';
import { notify } from '../../ui/notify.tsx';
import { numberField } from '../../ui/number-field.tsx';
import { Hint } from '../../ui/panel.tsx';
import { problemsByField } from '../../ui/problems.ts';
import { FieldGrid, ItemRows } from '../../ui/record-form.tsx';
import { RecordsSection } from './RecordsSection.tsx';

const orNull = (text: string) => (text.trim() === '' ? null : text.trim());

/** A rule as it is typed: lists as words, and an empty field for null. */
const NEW_RULE = {
  path: '/*',
  methods: [...API_METHODS] as ApiRule['methods'],
  scopes: '',
  token_type: 'any' as ApiRule['token_type'],
  max_age: '' as number | '',
  acr_values: '',
};

type RuleDraft = typeof NEW_RULE;

const draftOf = (api: Api | null) => ({
  name: api?.name ?? '',
  kind: api?.kind ?? 'http',
  path: api?.path ?? '',
  audience: api?.audience ?? '',
  rules: api?.rules.map(({ scopes, acr_values, max_age, ...rule }): RuleDraft => ({
    ...rule,
    scopes: scopes.join(' '),
    acr_values: acr_values.join(' '),
    max_age: max_age ?? '',
  })) ?? [NEW_RULE],
});

type ApiDraft = ReturnType<typeof draftOf>;

const apiOf = ({ name, kind, path, audience, rules }: ApiDraft): Api => ({
  name: name.trim(),
  kind,
  path: orNull(path),
  audience: orNull(audience),
  rules: rules.map(({ scopes, acr_values, max_age, ...rule }) => ({
    ...rule,
    scopes: wordsIn(scopes),
    acr_values: wordsIn(acr_values),
    max_age: max_age === '' ? null : max_age,
  })),
});

/** Problems within a list of words, such as `rules.0.scopes.1`, belong to the field of the list. */
const problemsOf = (draft: ApiDraft) =>
  Object.fromEntries(
    Object.entries(problemsByField(apiSchema, apiOf(draft))).map(([path, problem]) => [
      path.replace(/^(rules\.\d+\.\w+)\.\d+$/, '$1'),
      problem,
    ]),
  );

async function save(api: Api | null, draft: ApiDraft): Promise<void> {
  const wanted = apiOf(draft);
  const saved =
    api === null
      ? await control.apis.create(wanted)
      : await control.apis.update({ ...patchBetween(api, wanted), name: api.name });
  notify(`${saved.name} is saved`);
}

const KINDS = choicesOf(fieldAt(apiSchema, 'kind'));
const TOKEN_TYPES = choicesOf(fieldAt(apiRuleSchema, 'token_type'));

interface RuleFieldsProps {
  readonly form: UseFormReturnType<ApiDraft>;
  readonly index: number;
  /** The button that removes it. */
  readonly remove: ReactNode;
}

function RuleFields({ form, index, remove }: RuleFieldsProps) {
  const props = (member: keyof RuleDraft) => ({
    label: fieldAt(apiRuleSchema, member).label,
    ...form.getInputProps(`rules.${index}.${member}`),
  });
  const number = index + 1;
  return (
    <fieldset className={classes.group} aria-label={`Rule ${number}`}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <TextInput flex={1} {...MONO} {...props('path')} />
        <MultiSelect data={[...API_METHODS]} {...props('methods')} />
        {remove}
      </Group>
      <Select data={TOKEN_TYPES} {...props('token_type')} />
      <FieldGrid>
        <TextInput placeholder="None needed" {...MONO} {...props('scopes')} />
        <NumberInput
          {...numberField(apiRuleSchema, 'max_age')}
          placeholder="No limit"
          allowDecimal={false}
          {...props('max_age')}
        />
        <TextInput placeholder="Any" {...MONO} {...props('acr_values')} />
      </FieldGrid>
    </fieldset>
  );
}

interface ApiFieldsProps {
  readonly form: UseFormReturnType<ApiDraft>;
  readonly isNew: boolean;
}

function ApiFields({ form, isNew }: ApiFieldsProps) {
  const { name, rules } = form.getValues();
  const ownPath = `/api/${name === '' ? '<name>' : name}`;
  return (
    <>
      <TextInput
        placeholder="orders"
        readOnly={!isNew}
        data-autofocus={isNew || undefined}
        {...MONO}
        {...memberProps(apiSchema, form, 'name')}
      />
      <Select data={KINDS} {...memberProps(apiSchema, form, 'kind')} />
      <TextInput placeholder={ownPath} {...MONO} {...memberProps(apiSchema, form, 'path')} />
      <TextInput
        placeholder={`<issuer>${ownPath}`}
        description="The value of the aud claim, compared character by character."
        {...MONO}
        {...memberProps(apiSchema, form, 'audience')}
      />
      <Stack component="section" gap="sm" aria-label="Rules">
        <Hint>{fieldAt(apiSchema, 'rules').help}</Hint>
        <ItemRows
          form={form}
          path="rules"
          items={rules}
          what="rule"
          blank={NEW_RULE}
          most={API_BOUNDS.rules}
          gap="lg"
          above="lg"
        >
          {(index, remove) => <RuleFields form={form} index={index} remove={remove} />}
        </ItemRows>
      </Stack>
    </>
  );
}

/** The protected APIs that the sandbox serves (behaviour 19). */
export function ApisSection() {
  const apis = usePage((state) => state.apis);
  const issuer = useIssuer();
  return (
    <RecordsSection
      title="Protected APIs"
      about="APIs that the sandbox serves itself. They check access tokens by their rules, as described in behaviour 19."
      add="Add API"
      empty="No protected APIs. Add one to call it with the access tokens of your app."
      heads={['Name', 'Path', 'Audience', 'Scopes']}
      records={apis}
      nameOf={({ name }) => name}
      cells={(api) => [
        api.name,
        pathOfApi(api),
        audienceOfApi(api, issuer),
        [...new Set(api.rules.flatMap(({ scopes }) => scopes))].join(' '),
      ]}
      onDelete={deleteApi}
      dialogTitle={(api) => (api === null ? 'Add API' : `Edit ${api.name}`)}
      schema={apiSchema}
      draftOf={draftOf}
      validate={problemsOf}
      save={save}
      failure="The API was not saved."
      fields={(form, isNew) => <ApiFields form={form} isNew={isNew} />}
    />
  );
}
