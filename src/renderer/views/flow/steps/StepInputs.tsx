import type { ComponentType } from 'react';
import type { StepId } from '../flow-steps.ts';
import { ApiInputs } from './ApiInputs.tsx';
import { AssertionInputs } from './AssertionInputs.tsx';
import { BearerInputs } from './BearerInputs.tsx';
import { ClientInputs } from './ClientInputs.tsx';
import { CodeInputs } from './CodeInputs.tsx';
import { DecideInputs } from './DecideInputs.tsx';
import { DeviceInputs } from './DeviceInputs.tsx';
import { ExchangeInputs } from './ExchangeInputs.tsx';
import { PasswordInputs } from './PasswordInputs.tsx';
import { PollInputs } from './PollInputs.tsx';
import { RefreshInputs } from './RefreshInputs.tsx';
import { SubjectInputs } from './SubjectInputs.tsx';
import { SwapInputs } from './SwapInputs.tsx';

const INPUTS: Partial<Record<StepId, ComponentType>> = {
  client: ClientInputs,
  code: CodeInputs,
  exchange: ExchangeInputs,
  device: DeviceInputs,
  decide: DecideInputs,
  poll: PollInputs,
  password: PasswordInputs,
  subject: SubjectInputs,
  swap: SwapInputs,
  assertion: AssertionInputs,
  bearer: BearerInputs,
  refresh: RefreshInputs,
  api: ApiInputs,
};

export function StepInputs({ id }: { readonly id: StepId }) {
  const Inputs = INPUTS[id];
  return Inputs === undefined ? null : <Inputs />;
}
