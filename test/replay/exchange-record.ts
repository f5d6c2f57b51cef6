// The control view of an exchange, reduced to its decisions: checks with verdicts, the reason, deviations and
// advisories, without prose, raw messages and empty members.

import { reasonsOf } from './engine-under-test.ts';
import type { Normaliser } from './normalise.ts';

interface Check {
  readonly id: string;
  readonly verdict: string;
}

export interface ExchangeView {
  readonly number: number;
  readonly trace: readonly Check[];
  readonly why: {
    readonly check: string;
    readonly summary: string;
    readonly differs_at: number | null;
  } | null;
  readonly cause: string | null;
  readonly deviation_notes: readonly {
    readonly id: string;
    readonly strict_status: number | null;
    readonly strict_error: string | null;
  }[];
  readonly advisory_notes: readonly { readonly kind: string; readonly seconds_left: number }[];
  readonly request: { readonly http_version: string; readonly body_encoding: string };
  readonly clock: {
    readonly now: string;
    readonly frozen: boolean;
    readonly offset_seconds: number;
  };
  readonly [member: string]: unknown;
}

const MARKS: Readonly<Record<string, string>> = { passed: '+', failed: '-', not_reached: '?' };

const KEPT = [
  'number',
  'grant_type',
  'client_id',
  'status',
  'error',
  'lineage_id',
  'credential_id',
  'profile',
  'throttled',
  'fault',
];

const isEmpty = (value: unknown) =>
  value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0);

/** @returns checks as `+passed -failed ?not_reached`, in order */
export function exchangeRecord(view: ExchangeView, normaliser: Normaliser) {
  const { why, trace, ip } = view;
  const members: [string, unknown][] = [
    ...KEPT.map((name): [string, unknown] => [name, normaliser.value(view[name])]),
    ['ip', ip === '127.0.0.1' ? null : ip],
    ['trace', trace.map(({ id, verdict }) => `${MARKS[verdict] ?? verdict}${id}`).join(' ')],
    ['reason', why === null ? null : reasonsOf(why).join(' or ')],
    ['differs_at', why?.differs_at ?? null],
    [
      'deviations',
      view.deviation_notes.map(({ id, strict_status: status, strict_error: error }) =>
        status === null ? id : `${id} (strict: ${status} ${error ?? ''})`,
      ),
    ],
    ['advisories', view.advisory_notes.map(({ kind, seconds_left: s }) => `${kind} (${s} s left)`)],
    ['body_encoding', view.request.body_encoding === 'utf8' ? null : view.request.body_encoding],
    ['frozen', view.clock.frozen],
    ['clock_offset_seconds', view.clock.offset_seconds === 0 ? null : view.clock.offset_seconds],
  ];
  return Object.fromEntries(members.filter(([, value]) => !isEmpty(value)));
}
