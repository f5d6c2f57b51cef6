// Rules between the members of a step: each problem names the member that breaks one.

import type { z } from 'zod/mini';
import { isJsonObject } from '../oauth/json-object.ts';
import { documentedFormat } from '../oauth/token-request.ts';
import { ACTION_NAMES, ACTIONS, type ActionName } from './actions/index.ts';

type Members = Readonly<Record<string, unknown>>;
type Tell = (path: readonly string[], message: string) => void;

const ALL = ACTION_NAMES.join(', ');

function actionOf(step: Members, tell: Tell): ActionName | null {
  const [action, ...more] = ACTION_NAMES.filter((name) => step[name] !== undefined);
  if (action === undefined) {
    tell([], `must have one of ${ALL}`);
    return null;
  }
  for (const other of more) {
    tell([other], `must not be combined with ${action}: a step has one action`);
  }
  return action;
}

function checkAnswer(step: Members, action: ActionName, tell: Tell): void {
  const { expect, save } = step;
  const { answer } = ACTIONS[action];
  if (answer === 'response') return;
  if (answer === 'none') {
    if (expect !== undefined) tell(['expect'], `must be omitted: ${action} has no response`);
    if (save !== undefined) tell(['save'], `must be omitted: ${action} has no response`);
    return;
  }
  const known = ['body', 'claims'];
  for (const name of Object.keys(isJsonObject(expect) ? expect : {})) {
    if (known.includes(name)) continue;
    tell(['expect', name], `must be omitted: ${action} has a response body only`);
  }
}

const FORM_VALUE = 'must be a string, an array of strings, or null in a form';

const isFormValue = (value: unknown) =>
  value === null ||
  typeof value === 'string' ||
  (Array.isArray(value) && value.every((one) => typeof one === 'string'));

function checkFields(token: Members, tell: Tell): void {
  const { grant, format = documentedFormat(grant), fields } = token;
  if (format !== 'form' || !isJsonObject(fields)) return;
  for (const [name, value] of Object.entries(fields)) {
    if (!isFormValue(value)) tell(['token', 'fields', name], FORM_VALUE);
  }
}

function checkBody(request: Members, tell: Tell): void {
  const [first, ...more] = ['form', 'json', 'text', 'body_base64'].filter(
    (name) => request[name] !== undefined,
  );
  for (const other of more) {
    tell(['request', other], `must not be combined with ${first ?? ''}: a request has one body`);
  }
}

/** A proof that is sent again has nothing of its own, and a request has one proof. */
function checkProof(order: Members, action: ActionName, tell: Tell): void {
  const { dpop, headers } = order;
  if (dpop === undefined) return;
  const names = Array.isArray(headers)
    ? headers.map((pair: unknown) => String([pair].flat()[0]))
    : Object.keys(isJsonObject(headers) ? headers : {});
  const header = names.find((name) => name.toLowerCase() === 'dpop');
  if (header !== undefined) tell([action, 'headers', header], 'must be omitted beside dpop');
  if (!isJsonObject(dpop) || dpop['replay'] === undefined) return;
  for (const name of Object.keys(dpop)) {
    if (name === 'replay') continue;
    tell([action, 'dpop', name], 'must not be combined with replay: that proof is sent as it was');
  }
}

/** Runs beside the schema, so that all problems are reported at once: a step may be half written. */
export function checkStep(step: unknown, ctx: z.core.$RefinementCtx): void {
  if (!isJsonObject(step)) return;
  const tell: Tell = (path, message) => {
    ctx.addIssue({ code: 'custom', path: [...path], message });
  };
  const action = actionOf(step, tell);
  if (action === null) return;
  checkAnswer(step, action, tell);
  const order = step[action];
  if (isJsonObject(order)) checkProof(order, action, tell);
  if (isJsonObject(step['token'])) checkFields(step['token'], tell);
  if (isJsonObject(step['request'])) checkBody(step['request'], tell);
}
