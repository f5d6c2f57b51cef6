import type { ComponentType } from 'react';
import type { StepId } from '../flow-state.ts';
import { ApiInputs } from './ApiInputs.tsx';
import { ClientInputs } from './ClientInputs.tsx';
import { CodeInputs } from './CodeInputs.tsx';
import { ExchangeInputs } from './ExchangeInputs.tsx';
import { RefreshInputs } from './RefreshInputs.tsx';

const INPUTS: Partial<Record<StepId, ComponentType>> = {
  client: ClientInputs,
  code: CodeInputs,
  exchange: ExchangeInputs,
  refresh: RefreshInputs,
  api: ApiInputs,
};

export function StepInputs({ id }: { readonly id: StepId }) {
  const Inputs = INPUTS[id];
  return Inputs === undefined ? null : <Inputs />;
}
