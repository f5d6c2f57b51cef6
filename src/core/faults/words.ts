// Describes what a fault did to an exchange. The text is generated when someone views it.

import type { Edit, IdTokenSignature } from '../records/edit.ts';
import { enumerated } from '../../words.ts';
import type { Fault } from '../records/schemas.ts';

const duration = (ms: number) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);

const ALTERED_EXPIRES_IN = {
  absent: 'Omitted expires_in from the response.',
  negative: 'Sent a negative expires_in.',
  huge: 'Sent an expires_in of more than 300,000 years.',
  string: 'Sent expires_in as a string.',
} as const;

const CHANGE_WORDS: Readonly<Record<Edit['do'], string>> = {
  set: 'replaced',
  remove: 'removed',
  append: 'extended',
  add: 'with another value added',
  list: 'as a list',
  from_now: 'with another time',
  swap_case: 'in the other case',
  to_text: 'as a string',
};

const editWords = (edits: readonly Edit[]): string =>
  enumerated(edits.map((edit) => `${edit.member} ${CHANGE_WORDS[edit.do]}`));

const SIGNED: Readonly<Record<IdTokenSignature, string | null>> = {
  published_key: null,
  unpublished_key: 'signed with an unpublished key',
  altered: 'with an altered signature',
  none: 'without a signature',
  hs256_client_secret: 'signed with HS256 and the client_secret',
  hs256_public_key: 'signed with HS256 and the public key as the secret',
};

type IdTokenEffect = Extract<Fault['effect'], { kind: 'edit_id_token' }>;

function idTokenWords({ claims, header, sign }: IdTokenEffect): string {
  const edits = editWords([...claims, ...header]);
  const changes = [
    ...(edits === '' ? [] : [edits]),
    ...(SIGNED[sign] === null ? [] : [SIGNED[sign]]),
  ];
  return `Sent an ID token ${changes.length === 0 ? 'signed anew' : enumerated(changes)}.`;
}

function effectWords({ when, delay_ms, effect }: Fault): string {
  const evaluated = when === 'after';
  switch (effect.kind) {
    case 'answer':
      return evaluated
        ? `Evaluated the request, then sent ${effect.status} instead of the normal response.`
        : `Sent ${effect.status} without evaluating the request.`;
    case 'drop':
      return evaluated
        ? 'Evaluated the request, then closed the connection without a response.'
        : 'Closed the connection without evaluating the request.';
    case 'truth':
      return delay_ms === 0 ? 'Sent the normal response.' : 'Sent the normal response late.';
    case 'cut':
      return effect.after_bytes === null
        ? 'Closed the connection after half of the body.'
        : `Closed the connection after ${effect.after_bytes} bytes of the body.`;
    case 'dribble':
      return `Sent the body slowly, over ${duration(effect.duration_ms)}.`;
    case 'broken_json':
      return 'Omitted the end of the JSON.';
    case 'wrong_content_type':
      return `Sent the response as ${effect.content_type}.`;
    case 'expires_in':
      return ALTERED_EXPIRES_IN[effect.as];
    case 'expired_token':
      return 'Sent tokens that had already expired.';
    case 'unpublished_key':
      return 'Sent tokens signed with an unpublished key.';
    case 'edit_json':
      return `Changed the response: ${editWords(effect.edits)}.`;
    case 'edit_authorization_response':
      return `Changed the authorization response: ${editWords(effect.edits)}.`;
    case 'edit_id_token':
      return idTokenWords(effect);
  }
}

/** What a closed connection ended: the delay before the response, or a body that was sent slowly. */
export type FaultInterruption = 'delay' | 'body';

/** Returns what happened to the request, in one or two sentences (behaviour 8). */
export function describeFault(fault: Fault, interrupted?: FaultInterruption): string {
  const delay = duration(fault.delay_ms);
  if (interrupted === 'delay') {
    const evaluated = fault.when === 'after' ? 'Evaluated' : 'Did not evaluate';
    return `${evaluated} the request. The connection was closed during the delay of ${delay}, so no response was sent.`;
  }
  const wait = fault.delay_ms === 0 ? '' : `Waited ${delay}. `;
  return interrupted === 'body'
    ? `${wait}Sent the body slowly. The connection was closed before its end.`
    : wait + effectWords(fault);
}

/** What became of an exchange that was held. */
export interface HoldOutcome {
  /** Whether it was held after its evaluation. */
  readonly evaluated: boolean;
  readonly held_ms: number;
  readonly end:
    'released' | 'answered' | 'dropped' | 'time_limit' | 'unattended' | 'reset' | 'stop';
  /** What was edited before the release. */
  readonly edited: readonly string[];
  /** The refusal that was chosen as the response. */
  readonly reason: string | null;
}

function endWords({ end, evaluated, edited, reason }: HoldOutcome): string {
  switch (end) {
    case 'released':
      return edited.length === 0 ? 'released' : `released with edits of ${enumerated(edited)}`;
    case 'answered':
      return evaluated
        ? `replaced with the response for ${reason}`
        : `answered with ${reason} without evaluation`;
    case 'dropped':
      return evaluated
        ? 'withheld, and the connection closed'
        : 'dropped without evaluation, and the connection closed';
    case 'time_limit':
      return 'released at the time limit';
    case 'unattended':
      return 'released because nobody followed it any more';
    case 'reset':
      return 'released by a reset';
    case 'stop':
      return 'released because the server was stopped';
  }
}

/** Returns what happened to a held exchange, in a sentence (behaviour 8.11). */
export function describeHold(outcome: HoldOutcome): string {
  const what = outcome.evaluated ? 'Response held' : 'Held before its evaluation';
  return `${what} for ${duration(outcome.held_ms)}, then ${endWords(outcome)}.`;
}
