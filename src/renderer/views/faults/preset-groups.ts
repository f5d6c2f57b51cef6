// The presets in groups, by what a client notices.

import type { FaultPreset } from '../../../control/fault-schemas.ts';

export interface PresetGroup {
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
    about: 'Sent instead of validation: no code or token is consumed.',
    holds: ({ when, effect }) => when === 'instead' && effect.kind === 'answer',
  },
  {
    title: 'Delayed, dropped or cut off',
    about: 'The response is slow, incomplete or never arrives.',
    holds: ({ effect }) => IN_TRANSIT.includes(effect.kind) || effect.kind === 'answer',
  },
  {
    title: 'Changed responses',
    about: 'Processed as usual, then something in the response is wrong.',
    holds: () => true,
  },
];

/** Each preset in the first group that holds it; groups without any are left out. */
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
