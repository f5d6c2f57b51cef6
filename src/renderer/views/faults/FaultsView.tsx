// The presets, the rules in their order, the upcoming responses, and a request that tests a rule. Labels and bounds
// come from the schema of a rule; the service implements matching and effects.

import { Alert, Button, Group, Text, Box, Stack } from '@mantine/core';
import { IconBolt, IconPlus, IconTrash } from '@tabler/icons-react';
import { MAX_FAULTS, type FaultState, type FaultPreset } from '../../../control/fault-schemas.ts';
import { navigate, type ViewProps, NEW_ITEM } from '../../navigation/route.ts';
import { usePage } from '../../connection/state.ts';
import { EmptyState, PanelHead, Loading, Hint } from '../../ui/panel.tsx';
import {
  RecordEditor,
  useOpened,
  useReturnedFocus,
  type RecordKind,
} from '../../ui/RecordEditor.tsx';
import { activatePreset, deleteAllFaults, deleteFault, turnAllOff } from './fault-actions.ts';
import { draftOf, duplicateOf, newDraft, recordOf, type FaultDraft } from './fault-draft.ts';
import classes from './Faults.module.css';
import split from '../../ui/split.module.css';
import { Queues } from './Queues.tsx';
import { RuleForm } from './RuleForm.tsx';
import { isActive, titleOf } from './rule-words.ts';
import { RuleTable } from './RuleTable.tsx';
import { MenuAction, MoreMenu } from '../../ui/MenuAction.tsx';
import { useNeed } from '../../ui/use-need.ts';
import { useState } from 'react';
import item from '../../ui/item.module.css';
import { ActionButton, Disclose } from '../../ui/buttons.tsx';

type Kind = FaultPreset['fault']['effect']['kind'];

const IN_TRANSIT: readonly Kind[] = ['drop', 'truth', 'cut', 'dribble'];

interface Grouping {
  readonly title: string;
  readonly about: string;
  readonly holds: (fault: FaultPreset['fault']) => boolean;
}

const GROUPINGS: readonly Grouping[] = [
  {
    title: 'Scripted errors',
    about: 'The request is not evaluated: no code or token is consumed.',
    holds: ({ when, effect }) => when === 'instead' && effect.kind === 'answer',
  },
  {
    title: 'Delayed, dropped or cut off',
    about: 'The response is slow, incomplete or never arrives.',
    holds: ({ effect }) => IN_TRANSIT.includes(effect.kind) || effect.kind === 'answer',
  },
  {
    title: 'Changed responses',
    about: 'The request is evaluated as usual, then its response is changed.',
    holds: () => true,
  },
];

interface PresetGroup extends Grouping {
  readonly presets: readonly FaultPreset[];
}

/** Puts each preset into the first group that holds it; empty groups are left out. */
export function presetGroups(presets: readonly FaultPreset[]): PresetGroup[] {
  const groupingOf = ({ fault }: FaultPreset) => GROUPINGS.find(({ holds }) => holds(fault));
  return GROUPINGS.map((grouping) => ({
    ...grouping,
    presets: presets.filter((preset) => groupingOf(preset) === grouping),
  })).filter((group) => group.presets.length > 0);
}

function timesWords({ times, probability }: FaultPreset['fault']): string {
  if (probability < 1) return 'by chance';
  if (times === null) return 'every time';
  return times === 1 ? 'once' : `${times} times`;
}

const useFull = () => usePage((state) => state.faults.length >= MAX_FAULTS);

function PresetRow({ preset }: { readonly preset: FaultPreset }) {
  const { text, fault } = preset;
  const full = useFull();
  const needs = useNeed('connection');
  return (
    <li>
      <button
        type="button"
        className={`${item.item} ${classes.preset}`}
        disabled={full}
        onClick={() => void activatePreset(preset)}
        aria-label={`Activate: ${fault.name}`}
        aria-describedby={`preset-${preset.id}`}
        {...needs}
      >
        <Text span fw="var(--w-medium)" c="var(--text)">
          {fault.name}
        </Text>
        <Text span ff="monospace" fz="var(--fs-xs)">
          {timesWords(fault)}
        </Text>
        <IconPlus className={classes.add} size="1.2em" aria-hidden="true" />
        <Text span size="xs" id={`preset-${preset.id}`} style={{ gridColumn: '1 / 3' }}>
          {text}
        </Text>
      </button>
    </li>
  );
}

function PresetList({ title, about, presets }: PresetGroup) {
  return (
    <section aria-label={title}>
      <Text component="h3" px={10} size="xs" fw="bold">
        {title}
      </Text>
      <Hint px={10}>{about}</Hint>
      <Box component="ul" role="list" mt={4}>
        {presets.map((preset) => (
          <PresetRow key={preset.id} preset={preset} />
        ))}
      </Box>
    </section>
  );
}

/** The presets in groups; those after the first group are folded. */
function PresetPanel() {
  const presets = usePage((state) => state.fault_presets);
  const full = useFull();
  const [isOpen, setOpen] = useState(false);
  const [first, ...more] = presetGroups(presets);
  const count = more.flatMap((group) => group.presets).length;
  return (
    <section className={split.editor} aria-label="Presets">
      <PanelHead title="Presets" note="One click activates a rule for token requests" />
      {presets.length === 0 && <Loading>Loading the presets…</Loading>}
      {full && (
        <Hint px="md" pt="sm">
          A workspace can have {MAX_FAULTS} rules at most. Delete one to add another.
        </Hint>
      )}
      <Stack className={split.scroll} px="xs" pt="sm" pb="md">
        {first !== undefined && <PresetList {...first} />}
        {count > 0 && (
          <Disclose
            style={{ alignSelf: 'flex-start', marginLeft: 'var(--s1)' }}
            opened={isOpen}
            onToggle={() => setOpen(!isOpen)}
          >
            {count} more presets
          </Disclose>
        )}
        {isOpen && more.map((group) => <PresetList key={group.title} {...group} />)}
      </Stack>
    </section>
  );
}

const RULES: RecordKind<FaultState, FaultDraft> = {
  view: 'faults',
  kind: 'rule',
  keyOf: ({ id }) => id,
  titleOf,
  create: newDraft,
  duplicate: (rule) => duplicateOf(recordOf(rule)),
  draftOf: (rule) => draftOf(recordOf(rule)),
  remove: deleteFault,
};

const FIRST_PRESET = 'throttled_twice';

function ActivateFirst() {
  const preset = usePage((state) => state.fault_presets.find(({ id }) => id === FIRST_PRESET));
  if (preset === undefined) return null;
  return (
    <ActionButton variant="filled" onClick={() => void activatePreset(preset)} needs="connection">
      Activate “{preset.fault.name}”
    </ActionButton>
  );
}

/** The case of a client check that is active, apart from the rules. */
function ActiveCheck() {
  const check = usePage((state) => state.client_check);
  if (check === null) return null;
  const { title, client_id, reached_exchange, seen_exchange } = check;
  const sent =
    reached_exchange === null
      ? 'It has not been sent yet.'
      : `First sent in exchange #${reached_exchange}.`;
  const seen = seen_exchange === null ? '' : ` The app went on in exchange #${seen_exchange}.`;
  return (
    <Alert m="md" title={`Client check active: ${title}`}>
      <Group justify="space-between">
        <Text size="sm">
          {client_id === null ? 'Any client' : `The client ${client_id}`} meets this misbehaviour
          before the rules below. {sent}
          {seen}
        </Text>
        <Button onClick={() => void navigate('check', check.case)}>Show the case</Button>
      </Group>
    </Alert>
  );
}

function NoRules() {
  const checked = usePage((state) => state.client_check !== null);
  return (
    <EmptyState
      icon={IconBolt}
      title={checked ? 'No fault rules' : 'No faults active'}
      text="A fault rule makes the server fail on demand: it rejects requests, or delays, drops or changes responses, so that you can see how your app reacts. Activate a preset or write a rule."
      action={<ActivateFirst />}
    />
  );
}

function Actions({ rules }: { readonly rules: readonly FaultState[] }) {
  const full = useFull();
  return (
    <>
      <Button
        leftSection={<IconPlus />}
        disabled={full}
        onClick={() => void navigate('faults', NEW_ITEM)}
      >
        New rule
      </Button>
      {rules.length > 0 && (
        <>
          <ActionButton
            disabled={!rules.some(isActive)}
            onClick={() => void turnAllOff()}
            needs="connection"
          >
            Turn all off
          </ActionButton>
          <MoreMenu what="all rules">
            <MenuAction
              needs="connection"
              leftSection={<IconTrash />}
              onClick={() => void deleteAllFaults()}
            >
              Delete all rules
            </MenuAction>
          </MoreMenu>
        </>
      )}
    </>
  );
}

/** The rules in the order in which they are checked, and beside them the presets or the open rule. */
export function FaultsView({ item }: ViewProps) {
  const list = useReturnedFocus('faults', item);
  const rules = usePage((state) => state.faults);
  const { open, draft } = useOpened(RULES, item, rules);
  const editing = open !== null || draft !== null;
  return (
    <div className={classes.view} data-editing={editing || undefined}>
      <section className={split.list} aria-label="Fault rules" ref={list}>
        <PanelHead
          title="Fault rules"
          note={editing ? undefined : 'Checked in this order; the first match applies'}
        >
          <Actions rules={rules} />
        </PanelHead>
        <ActiveCheck />
        {rules.length === 0 ? (
          <NoRules />
        ) : (
          <>
            <Queues rules={rules} />
            <RuleTable rules={rules} open={open?.id ?? null} />
          </>
        )}
      </section>
      {editing ? (
        <RecordEditor key={item} of={RULES} record={open} draft={draft}>
          {(start) => <RuleForm rule={open} start={start} />}
        </RecordEditor>
      ) : (
        <PresetPanel />
      )}
    </div>
  );
}
