// The ready-made rules in groups, by what a client notices.

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
    title: 'Scripted refusals',
    about: 'Sent in place of judging: nothing is consumed.',
    holds: ({ when, effect }) => when === 'instead' && effect.kind === 'answer',
  },
  {
    title: 'Late, lost or cut',
    about: 'The answer has trouble on its way, or never comes.',
    holds: ({ effect }) => IN_TRANSIT.includes(effect.kind) || effect.kind === 'answer',
  },
  {
    title: 'Bent answers',
    about: 'Judged and consumed truthfully, then something about the answer is wrong.',
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
