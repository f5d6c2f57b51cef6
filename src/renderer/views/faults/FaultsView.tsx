// The presets, the rules in their order, the upcoming responses, and a request that tests a rule. Labels and bounds
// come from the schema of a rule; the service implements matching and effects.

import { ActionIcon, Alert, Button, Group, Menu, Text } from '@mantine/core';
import { IconBolt, IconDots, IconPlus, IconTrash } from '@tabler/icons-react';
import { MAX_FAULTS, type FaultState } from '../../../control/fault-schemas.ts';
import { draftFor, NEW_ITEM } from '../../navigation/draft-route.ts';
import { navigate, type ViewProps } from '../../navigation/route.ts';
import { usePage } from '../../connection/state.ts';
import { EmptyState, PanelHead } from '../../ui/panel.tsx';
import { useReturnedFocus } from '../../ui/RecordEditor.tsx';
import { activatePreset, deleteAllFaults, turnAllOff } from './fault-actions.ts';
import { duplicateOf, newDraft, recordOf } from './fault-draft.ts';
import classes from './Faults.module.css';
import split from '../../ui/split.module.css';
import { PresetPanel } from './PresetPanel.tsx';
import { Queues } from './Queues.tsx';
import { RuleEditor } from './RuleEditor.tsx';
import { isActive } from './rule-words.ts';
import { RuleTable } from './RuleTable.tsx';
import { MenuAction } from '../../ui/MenuAction.tsx';
import { useNeed } from '../../ui/use-need.ts';

const DRAFTS = {
  keyOf: ({ id }: FaultState) => id,
  create: newDraft,
  duplicate: (rule: FaultState) => duplicateOf(recordOf(rule)),
};

const FIRST_PRESET = 'throttled_twice';

function ActivateFirst() {
  const preset = usePage((state) => state.fault_presets.find(({ id }) => id === FIRST_PRESET));
  const needs = useNeed('connection');
  if (preset === undefined) return null;
  return (
    <Button variant="filled" onClick={() => void activatePreset(preset)} {...needs}>
      Activate “{preset.fault.name}”
    </Button>
  );
}

/** The case of a client check that is active, apart from the rules. */
function ActiveCheck() {
  const check = usePage((state) => state.client_check);
  if (check === null) return null;
  const { title, client_id, reached_exchange, seen_exchange } = check;
  const sent =
    reached_exchange === null
      ? 'No request has met it yet.'
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
      icon={<IconBolt size="1.6em" stroke={1.5} />}
      title={checked ? 'No fault rules' : 'No faults active'}
      text="A fault rule makes the server fail on demand: it rejects requests, or delays, drops or changes responses, so that you can see how your app reacts. Activate a preset or write a rule."
      action={<ActivateFirst />}
    />
  );
}

function Actions({ rules }: { readonly rules: readonly FaultState[] }) {
  const needs = useNeed('connection');
  return (
    <>
      <Button
        leftSection={<IconPlus size="1.1em" aria-hidden="true" />}
        disabled={rules.length >= MAX_FAULTS}
        onClick={() => void navigate('faults', NEW_ITEM)}
      >
        New rule
      </Button>
      {rules.length > 0 && (
        <>
          <Button disabled={!rules.some(isActive)} onClick={() => void turnAllOff()} {...needs}>
            Turn all off
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon aria-label="More for all rules" title="More for all rules">
                <IconDots size="1.1em" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <MenuAction
                needs="connection"
                leftSection={<IconTrash size="1.1em" aria-hidden="true" />}
                onClick={() => void deleteAllFaults()}
              >
                Delete all rules
              </MenuAction>
            </Menu.Dropdown>
          </Menu>
        </>
      )}
    </>
  );
}

/** The rules in the order in which they are checked, and beside them the presets or the open rule. */
export function FaultsView({ item }: ViewProps) {
  const list = useReturnedFocus('faults', item);
  const rules = usePage((state) => state.faults);
  const open = rules.find(({ id }) => id === item) ?? null;
  const draft = draftFor(item, rules, DRAFTS);
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
        <RuleEditor key={item} rule={open} draft={draft} />
      ) : (
        <PresetPanel rules={rules} />
      )}
    </div>
  );
}
