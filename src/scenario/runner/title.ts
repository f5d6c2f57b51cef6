// The title of a step in reports: its name, or a few words on what it does.

import type { ScenarioStep } from '../schema.ts';
import { actionOf } from './steps.ts';

const of = (client: string | undefined) => (client === undefined ? '' : ` as ${client}`);
const by = (user: string | undefined) => (user === undefined ? '' : ` for ${user}`);

function clockTitle({ advance_seconds, frozen, now }: NonNullable<ScenarioStep['clock']>): string {
  if (advance_seconds !== undefined) return `advance the clock by ${advance_seconds} s`;
  if (frozen !== undefined) return frozen ? 'freeze the clock' : 'resume the clock';
  return now === undefined ? 'reset the clock' : `set the clock to ${now}`;
}

function requestTitle(order: NonNullable<ScenarioStep['request']>): string {
  const { method, path, form, json, text } = order;
  const bodiless = form === undefined && json === undefined && text === undefined;
  return `${method ?? (bodiless ? 'GET' : 'POST')} ${path}`;
}

function faultTitle(order: NonNullable<ScenarioStep['fault']>): string {
  const name = typeof order === 'string' ? order : (order.preset ?? order.name ?? 'a rule');
  return `add the fault ${name}`;
}

function plainTitle(step: ScenarioStep): string {
  const { issue_code, issue_tokens, authorize, token, request, clock, fault } = step;
  const { authorize_device, approve_device, deny_device } = step;
  if (issue_code) return `issue a code${of(issue_code.client)}${by(issue_code.user)}`;
  if (issue_tokens) return `issue tokens${of(issue_tokens.client)}${by(issue_tokens.user)}`;
  if (authorize) return `authorize${of(authorize.client)}${by(authorize.user)}`;
  if (authorize_device) return `authorize a device${of(authorize_device.client)}`;
  if (approve_device) return `approve the device${by(approve_device.user)}`;
  if (deny_device) return 'deny the device';
  if (token) return `token request with ${token.grant}${of(token.client)}`;
  if (request) return requestTitle(request);
  if (clock) return clockTitle(clock);
  if (fault !== undefined) return faultTitle(fault);
  return `${actionOf(step)} ${step.revoke ?? step.expire ?? ''}`;
}

export function titleOf(step: ScenarioStep): string {
  const times = step.repeat === undefined || step.repeat === 1 ? '' : `, ${step.repeat} times`;
  return step.name ?? `${plainTitle(step)}${times}`;
}
