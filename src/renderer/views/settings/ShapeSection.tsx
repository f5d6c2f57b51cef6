import { Select, Box } from '@mantine/core';
import { useState } from 'react';
import { PROVIDERS, PROVIDER_WORDS, type Provider } from '../../../control/names.ts';
import type { ShapeState } from '../../../control/schemas.ts';
import { control, problemOf } from '../../connection/control.ts';
import { useObstacle } from '../../connection/reach.ts';
import { usePage } from '../../connection/state.ts';
import { problemSentence } from '../../ui/problems.ts';
import { Section, SettingRow } from './Section.tsx';
import { offerUndo } from '../../actions/sandbox.ts';

const NONE = 'none';
const OWN = 'own';

const PROVIDER_CHOICES = [
  { value: NONE, label: 'None' },
  ...PROVIDERS.map((value) => ({ value, label: PROVIDER_WORDS[value] })),
];

/** The current choice: none, a provider, or a custom shape, which cannot be chosen here. */
function choiceOf(shape: ShapeState['shape']): string {
  if (shape === null) return NONE;
  const { provider, ...changes } = shape;
  return provider !== undefined && Object.keys(changes).length === 0 ? provider : OWN;
}

const choicesFor = ({ shape, name }: ShapeState) =>
  choiceOf(shape) === OWN
    ? [...PROVIDER_CHOICES, { value: OWN, label: `${name ?? ''}, changed in the workspace` }]
    : PROVIDER_CHOICES;

async function choose(choice: string): Promise<void> {
  if (choice === NONE) await control.shape.remove();
  else await control.shape.set({ provider: choice as Provider });
}

function offerBack({ shape, name }: ShapeState): void {
  if (shape === null) return;
  offerUndo(
    `The provider shape ${name ?? ''} is replaced`,
    'The provider shape was not restored.',
    async () => {
      await control.shape.set(shape);
    },
  );
}

export function ShapeSection() {
  const state = usePage(({ shape }) => shape);
  const disabled = useObstacle('connection') !== null;
  const [error, setError] = useState<string | null>(null);
  const commit = async (choice: string | null) => {
    if (choice === null || choice === OWN) return;
    try {
      await choose(choice);
      setError(null);
      // A provider can be chosen again, but a custom shape would be lost.
      if (state !== null && choiceOf(state.shape) === OWN) offerBack(state);
    } catch (refusal) {
      setError(problemSentence(problemOf(refusal)));
    }
  };
  const changes = state?.changes ?? [];
  return (
    <Section
      title="Provider shape"
      about="Imitates a provider’s endpoints, claims and errors, so you only change your app’s base URL."
    >
      <SettingRow
        label="Provider"
        help="A shape does not change which requests are accepted. It sets some other settings, which you can change."
      >
        {(labels) => (
          <Select
            {...labels}
            data={state === null ? PROVIDER_CHOICES : choicesFor(state)}
            value={choiceOf(state?.shape ?? null)}
            disabled={disabled || state === null}
            error={error}
            onChange={(value) => void commit(value)}
          />
        )}
      </SettingRow>
      {changes.length > 0 && (
        <Box
          component="ul"
          pt="sm"
          pr="md"
          pb="md"
          pl="calc(2 * var(--s4))"
          fz="xs"
          style={{ overflowWrap: 'anywhere' }}
          aria-label="What the shape changes"
        >
          {changes.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </Box>
      )}
    </Section>
  );
}
