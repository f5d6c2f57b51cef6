import { Box, Stack, Text } from '@mantine/core';
import { IconChevronRight, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type FaultPreset, MAX_FAULTS, type FaultState } from '../../../control/fault-schemas.ts';
import { usePage } from '../../connection/state.ts';
import { Loading, PanelHead } from '../../ui/panel.tsx';
import { useNeed } from '../../ui/use-need.ts';
import { activatePreset } from './fault-actions.ts';
import item from '../../ui/item.module.css';
import split from '../../ui/split.module.css';
import disclose from '../../ui/disclose.module.css';
import classes from './Faults.module.css';

interface PresetGroup {
  readonly title: string;
  readonly about: string;
  readonly presets: readonly FaultPreset[];
}

type Kind = FaultPreset['fault']['effect']['kind'];

const IN_TRANSIT: readonly Kind[] = ['drop', 'truth', 'cut', 'dribble'];

const GROUPS: readonly (Omit<PresetGroup, 'presets'> & {
  readonly holds: (fault: FaultPreset['fault']) => boolean;
})[] = [
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

/** Puts each preset into the first group that matches; empty groups are left out. */
export function presetGroups(presets: readonly FaultPreset[]): PresetGroup[] {
  const groups = GROUPS.map(({ holds: _, ...words }) => ({
    ...words,
    presets: [] as FaultPreset[],
  }));
  for (const preset of presets) {
    groups[GROUPS.findIndex(({ holds }) => holds(preset.fault))]?.presets.push(preset);
  }
  return groups.filter((group) => group.presets.length > 0);
}

function timesWords({ times, probability }: FaultPreset['fault']): string {
  if (probability < 1) return 'by chance';
  if (times === null) return 'every time';
  return times === 1 ? 'once' : `${times} times`;
}

interface PresetRowProps {
  readonly preset: FaultPreset;
  readonly full: boolean;
}

/** A preset that one click activates. */
function PresetRow({ preset, full }: PresetRowProps) {
  const { text, fault } = preset;
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

interface PresetListProps {
  readonly group: PresetGroup;
  readonly full: boolean;
}

function PresetList({ group: { title, about, presets }, full }: PresetListProps) {
  return (
    <section aria-label={title}>
      <Text component="h3" px={10} size="xs" fw="bold">
        {title}
      </Text>
      <Text px={10} size="xs" c="dimmed">
        {about}
      </Text>
      <Box component="ul" role="list" mt={4}>
        {presets.map((preset) => (
          <PresetRow key={preset.id} preset={preset} full={full} />
        ))}
      </Box>
    </section>
  );
}

/** The presets in groups; those after the first group are folded. */
export function PresetPanel({ rules }: { readonly rules: readonly FaultState[] }) {
  const presets = usePage((state) => state.fault_presets);
  const full = rules.length >= MAX_FAULTS;
  const [isOpen, setOpen] = useState(false);
  const [first, ...more] = presetGroups(presets);
  const count = more.flatMap((group) => group.presets).length;
  return (
    <section className={split.editor} aria-label="Presets">
      <PanelHead title="Presets" note="One click activates a rule for token requests" />
      {presets.length === 0 && <Loading>Loading the presets…</Loading>}
      {full && (
        <Text px="md" pt="sm" size="xs" c="dimmed">
          A workspace can have {MAX_FAULTS} rules at most. Delete one to add another.
        </Text>
      )}
      <Stack className={split.scroll} px="xs" pt="sm" pb="md">
        {first !== undefined && <PresetList group={first} full={full} />}
        {count > 0 && (
          <button
            type="button"
            className={disclose.disclose}
            style={{ alignSelf: 'flex-start', marginLeft: 'var(--s1)' }}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <IconChevronRight aria-hidden="true" />
            {count} more presets
          </button>
        )}
        {isOpen && more.map((group) => <PresetList key={group.title} group={group} full={full} />)}
      </Stack>
    </section>
  );
}
