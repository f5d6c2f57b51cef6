import { Switch, TextInput, Autocomplete } from '@mantine/core';
import { useMemo } from 'react';
import { type FaultState, faultSchema } from '../../../control/fault-schemas.ts';
import { usePage } from '../../connection/state.ts';
import { control } from '../../connection/control.ts';
import { notify } from '../../ui/notify.tsx';
import { BELOW, MONO } from '../../ui/field-props.ts';
import { FieldGrid, RecordForm } from '../../ui/record-form.tsx';
import classes from '../../ui/form.module.css';
import {
  type RuleFieldsProps,
  problemsOf,
  recordOf,
  ruleOf,
  type FaultDraft,
} from './fault-draft.ts';
import { EffectFields, RuleNumber } from './EffectFields.tsx';
import { chanceInWords, isActive, titleOf } from './rule-words.ts';
import { addFault, holdFault } from './fault-actions.ts';
import { Hint } from '../../ui/panel.tsx';
import { GRANT_TYPES, patchBetween } from '../../../control/names.ts';

interface IdentityFieldsProps extends RuleFieldsProps {
  readonly isNew: boolean;
}

function IdentityFields({ form, isNew }: IdentityFieldsProps) {
  return (
    <div className={classes.group}>
      <FieldGrid>
        <TextInput
          label="Name"
          placeholder="Default: its effect"
          maxLength={200}
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Id"
          placeholder="Generated"
          readOnly={!isNew}
          {...MONO}
          {...form.getInputProps('id')}
        />
      </FieldGrid>
      <Switch label="Active" {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </div>
  );
}

const PATHS = [
  '/oauth/token',
  '/authorize',
  '/userinfo',
  '/oauth/introspect',
  '/oauth/revoke',
  '/oauth/par',
  '/.well-known/jwks.json',
  '/.well-known/*',
];
const METHODS = ['GET', 'POST'];

/** Which requests the rule matches: those that meet all conditions. */
function MatchFields({ form }: RuleFieldsProps) {
  const clients = usePage((state) => state.clients);
  const ids = useMemo(() => clients.map(({ client_id }) => client_id), [clients]);
  const conditions = [
    { member: 'path', label: 'Path', data: PATHS, description: '* matches any characters' },
    { member: 'method', label: 'Method', data: METHODS, placeholder: 'any but OPTIONS' },
    { member: 'grant_type', label: 'Grant', data: [...GRANT_TYPES] },
    { member: 'client_id', label: 'Client', data: ids },
  ];
  return (
    <fieldset className={classes.group}>
      <legend>For which requests</legend>
      <Hint>All given conditions must match. An empty field matches anything.</Hint>
      <FieldGrid>
        {conditions.map(({ member, ...field }) => (
          <Autocomplete
            key={member}
            placeholder="any"
            {...field}
            {...BELOW}
            {...MONO}
            {...form.getInputProps(`match.${member}`)}
          />
        ))}
      </FieldGrid>
    </fieldset>
  );
}

function timesWords(times: number | string): string {
  if (times === '') return 'Every match, without limit';
  return times === 1
    ? 'The next match, then the rule is used up'
    : 'That many matches, then the rule is used up';
}

function probabilityWords(probability: number | string): string {
  const value = Number(probability);
  if (probability === '' || value === 1) return 'Every match';
  return value > 0 && value < 1 ? `${chanceInWords(value)} matches` : '0 to 1';
}

function FrequencyFields({ form }: RuleFieldsProps) {
  const { times, probability } = form.getValues();
  const isRandom = Number(probability) < 1 && probability !== '';
  return (
    <fieldset className={classes.group}>
      <legend>How often</legend>
      <FieldGrid>
        <RuleNumber
          form={form}
          path="times"
          placeholder="no limit"
          description={timesWords(times)}
          thousandSeparator=","
        />
        <RuleNumber
          form={form}
          path="probability"
          placeholder="1"
          description={probabilityWords(probability)}
          allowDecimal
          step={0.1}
        />
        <RuleNumber
          form={form}
          path="seed"
          placeholder="1"
          description={
            isRandom ? 'The same seed gives the same sequence' : 'Used for a probability below 1'
          }
        />
      </FieldGrid>
    </fieldset>
  );
}

/** Resolves to the id. */
async function save(rule: FaultState | null, draft: FaultDraft): Promise<string> {
  const wanted = ruleOf(draft);
  const saved =
    rule === null
      ? await control.faults.create(wanted)
      : await control.faults.update({ ...patchBetween(recordOf(rule), wanted), id: rule.id });
  if (rule === null) addFault(saved);
  else holdFault(saved);
  notify(`“${titleOf(saved)}” is saved${saved.enabled ? ' and active' : ''}`);
  return saved.id;
}

/** The rule without its state. Stays the same object while only its counts change. */
function useRecord(rule: FaultState | null): object | null {
  const written = rule === null ? null : JSON.stringify(recordOf(rule));
  return useMemo(() => (written === null ? null : (JSON.parse(written) as object)), [written]);
}

function idleText(rule: FaultState | null): string {
  if (rule === null) return 'Not saved yet';
  const usedUp = rule.enabled && !isActive(rule);
  return usedUp ? 'Used up; saving activates it again' : 'Saving resets its count';
}

interface RuleFormProps {
  /** The rule being edited; null for a new rule. */
  readonly rule: FaultState | null;
  readonly start: FaultDraft;
}

export function RuleForm({ rule, start }: RuleFormProps) {
  return (
    <RecordForm
      view="faults"
      record={useRecord(rule)}
      schema={faultSchema}
      name={rule === null ? 'the new rule' : titleOf(rule)}
      initial={start}
      validate={problemsOf}
      save={(draft) => save(rule, draft)}
      failure="The rule was not saved."
      idleText={idleText(rule)}
    >
      {(form) => (
        <>
          <IdentityFields form={form} isNew={rule === null} />
          <EffectFields form={form} />
          <MatchFields form={form} />
          <FrequencyFields form={form} />
        </>
      )}
    </RecordForm>
  );
}
