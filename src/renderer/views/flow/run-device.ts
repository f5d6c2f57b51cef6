// The steps of the device authorization grant (RFC 8628): the device asks, its user decides, the device polls.

import type { Device } from '../../../control/schemas.ts';
import { deviceAuthorizationRequest } from '../../../oauth/endpoint-requests.ts';
import { deviceCodeFields, tokenRequest } from '../../../oauth/token-request.ts';
import { control } from '../../connection/control.ts';
import { statusWords } from '../../ui/status.ts';
import { currentChoice, deviceFields } from './choice.ts';
import { deviceOf } from '../../exchange/device-answer.ts';
import {
  withEvent,
  withLaterStepsOpen,
  type DecisionEvent,
  type StepOutcome,
} from './flow-state.ts';
import { changeFlow, flow } from './flow-store.ts';
import { holdTokens, NO_CLIENT, outcomeOf, refused, send } from './send-step.ts';

export async function requestDevice(): Promise<StepOutcome> {
  const { client, device: asked } = currentChoice();
  if (client === null) throw new Error(NO_CLIENT);
  const exchange = await send('device', deviceAuthorizationRequest(deviceFields(asked)));
  const device = deviceOf(exchange, client.client_id);
  if (device === null) return { ...outcomeOf(exchange), status: 'refused' };
  changeFlow((state) => ({
    ...withLaterStepsOpen(state, 'device'),
    device,
    inputs: { ...state.inputs, poll_code: null },
  }));
  const text = `user code ${device.user_code}`;
  return { status: 'ok', badge: statusWords(exchange.status), text };
}

/** Draws what was decided. */
export async function drawDecision(
  { user_code, client_id, sub, granted_scope }: Device,
  decision: DecisionEvent['decision'],
): Promise<void> {
  const { now: at } = await control.clock.get();
  const scope = granted_scope ?? '';
  const event = { at, decision, user_code, client_id, sub, scope };
  changeFlow((state) => withEvent(state, { kind: 'decision', ...event }));
}

const PLACES = {
  page: 'at /device',
  control: 'over the control API',
  setting: 'by the setting authorize',
};

/** What was decided elsewhere meanwhile, or by the setting; one that the user decided at /device is drawn. */
async function decided(device: Device): Promise<StepOutcome> {
  const { state, sub, decided_on } = device;
  const where = decided_on === null ? '' : ` ${PLACES[decided_on]}`;
  if (state === 'expired') return refused(`${device.user_code} has expired.`, state);
  if (decided_on === 'page') await drawDecision(device, sub === null ? 'deny' : 'approve');
  return {
    status: 'ok',
    badge: state,
    text: `already decided${where}${sub === null ? '' : `, as ${sub}`}`,
  };
}

/** Approves or denies over control, unless that was done elsewhere. */
export async function decide(): Promise<StepOutcome> {
  const { device, inputs } = flow.getState();
  if (device === null) return refused('A code that was typed in has no user code here.');
  const id = device.user_code;
  const current = await control.devices.get({ id });
  if (current.state !== 'pending') return decided(current);
  const { user } = currentChoice();
  const { decision } = inputs;
  const done =
    decision === 'approve'
      ? await control.devices.approve({ id, ...(user === null ? {} : { sub: user.sub }) })
      : await control.devices.deny({ id });
  await drawDecision(done, decision);
  return { status: 'ok', badge: done.state, text: done.sub === null ? null : `as ${done.sub}` };
}

export async function pollTokens(): Promise<StepOutcome> {
  const exchange = await send('poll', tokenRequest(deviceCodeFields(currentChoice().poll)));
  holdTokens(exchange, 'poll');
  return outcomeOf(exchange);
}

/** Sees to it that the held device is approved, whatever the flow's own decision would be. */
export async function approveHeld(): Promise<boolean> {
  const { device } = flow.getState();
  if (device === null) return true;
  const id = device.user_code;
  const { state } = await control.devices.get({ id });
  if (state !== 'pending') return state === 'approved';
  const { user } = currentChoice();
  const approved = await control.devices.approve({
    id,
    ...(user === null ? {} : { sub: user.sub }),
  });
  await drawDecision(approved, 'approve');
  return true;
}
