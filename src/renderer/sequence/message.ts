// Turns an exchange into a message of a sequence diagram: lanes, labels and tones. No geometry.

import type { Exchange } from '../../control/schemas/exchanges.ts';
import { headerOf } from '../../oauth/fields.ts';
import { durationInWords, enumerated } from '../../words.ts';
import { REDACTED } from '../../redact/spans.ts';
import { isSignInPage } from '../../scenario/sign-in-form.ts';
import {
  answerTone,
  bodyFields,
  faultWords,
  grantedIn,
  isRejected,
  redirectAnswerOf,
  tokenAnswerOf,
  deviceOf,
  claimsOf,
} from '../exchange/answer.ts';
import { elided } from '../ui/short-forms.ts';
import { requestLine, statusWords } from '../ui/status.tsx';

export const LANES = ['App', 'Authorization', 'Token service', 'API'] as const;
export type Lane = 0 | 1 | 2 | 3;

type MessageTone = 'ok' | 'warn' | 'bad' | 'muted';

/** Advice and faults have the same colours as in Traffic. */
export type NoteTone = MessageTone | 'advice' | 'fault';

export interface Note {
  text: string;
  tone: NoteTone;
}

export interface Message {
  id: number;
  at: string;
  from: Lane;
  to: Lane;
  request: string;
  reply: string;
  tone: MessageTone;
  notes: readonly Note[];
  /** Whether the request was rejected. A rejection is drawn in a box. */
  rejected: boolean;
}

const LANES_OF: Readonly<Record<NonNullable<Exchange['endpoint']>, readonly [Lane, Lane]>> = {
  api: [0, 3],
  authorize: [0, 1],
  device: [0, 1],
  device_authorization: [0, 1],
  introspect: [0, 2],
  jwks: [3, 2],
  logout: [0, 1],
  metadata: [0, 1],
  par: [0, 1],
  register: [0, 1],
  resource_metadata: [0, 3],
  revoke: [0, 2],
  token: [0, 2],
  userinfo: [0, 3],
};

/** The sandbox itself sends logout tokens to apps. */
function lanesOf({ endpoint, sent_by }: Exchange): readonly [Lane, Lane] {
  if (sent_by === 'server') return [1, 0];
  return endpoint === null ? [0, 2] : LANES_OF[endpoint];
}

function bearerOf({ request }: Exchange): string {
  const authorization = headerOf(request.headers, 'authorization') ?? '';
  const [, scheme, token] = /^(Bearer|DPoP) (.+)$/i.exec(authorization) ?? [];
  return token === undefined ? '' : ` · ${scheme}${shown(token)}`;
}

const CREDENTIALS = [
  'code',
  'device_code',
  'user_code',
  'refresh_token',
  'access_token',
  'token',
  'decision',
  'subject_token',
  'username',
];

/** The short form of a credential; empty when it was redacted. */
const shown = (value: string): string => (value.includes(REDACTED) ? '' : ` ${elided(value)}`);

/** The credential that a request presents, in its short form. */
function presented(exchange: Exchange): string {
  const bearer = bearerOf(exchange);
  if (bearer !== '') return bearer;
  const fields = bodyFields(exchange.request);
  for (const name of CREDENTIALS) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '')
      return ` · ${name.replace('_', ' ')}${shown(value)}`;
  }
  return '';
}

function otherReply(exchange: Exchange): string {
  const claims = claimsOf(exchange);
  if (typeof claims?.sub === 'string') return `${exchange.status} claims of ${claims.sub}`;
  if (isSignInPage(exchange)) return `${exchange.status} sign-in page`;
  const device = deviceOf(exchange);
  if (device !== null) return `${exchange.status} user code ${device.user_code}`;
  return `${exchange.status} ${exchange.response.reason}`.trim();
}

function replyOf(exchange: Exchange): string {
  if (exchange.status === 0) return statusWords(exchange.status);
  if (exchange.error !== null) return `${exchange.status} ${exchange.error}`;
  const code = redirectAnswerOf(exchange)?.get('code');
  if (typeof code === 'string') return `${exchange.status} code${shown(code)}`;
  const answer = tokenAnswerOf(exchange);
  if (answer === null) return otherReply(exchange);
  const others = [
    ...(answer.refresh_token === null ? [] : ['refresh']),
    ...(answer.id_token === null ? [] : ['ID']),
  ];
  return `${exchange.status} ${enumerated(['access', ...others])} token`;
}

function causeOf(exchange: Exchange): Note[] {
  const text = exchange.why?.detail ?? exchange.why?.summary ?? exchange.cause;
  return isRejected(exchange) && text !== null ? [{ text, tone: 'muted' }] : [];
}

/** The user and the scope that a code was issued for, and who decided. */
function grantedTo(exchange: Exchange): Note[] {
  const granted = grantedIn(exchange);
  if (granted === null) return [];
  const { sub, scope, how, on_page } = granted;
  const words = on_page ? `${sub} approved` : `granted for ${sub}`;
  const why = on_page || how === null ? '' : ` (${how})`;
  return [{ text: `${words}${scope === '' ? '' : ` ${scope}`}${why}`, tone: 'muted' }];
}

const interventionsIn = ({ fault, held }: Exchange): Note[] =>
  [fault === null ? null : faultWords(fault), held?.what ?? null]
    .filter((text) => text !== null)
    .map((text) => ({ text, tone: 'fault' }));

const deviationsOf = (exchange: Exchange): Note[] =>
  exchange.deviation_notes
    .filter(({ strict_status }) => strict_status !== null)
    .map(({ strict_status, strict_error }) => ({
      text: `would fail in strict: ${strict_status} ${strict_error ?? ''}`.trim(),
      tone: 'warn',
    }));

/** Only the app gets advice, since requests from Grantbench itself are deliberate (behaviour 13.3). */
const advisoriesOf = ({ advisory_notes, sent_by }: Exchange): Note[] =>
  (sent_by === 'app' ? advisory_notes : []).map(({ kind }) => ({
    text:
      kind === 'over_fetch'
        ? 'redundant token request: the previous token was still valid'
        : 'unnecessary re-authorization',
    tone: 'advice',
  }));

export function exchangeMessage(id: number, exchange: Exchange): Message {
  const [from, to] = lanesOf(exchange);
  return {
    id,
    at: exchange.at,
    from,
    to,
    request: `${requestLine(exchange)}${presented(exchange)}`,
    reply: replyOf(exchange),
    tone: answerTone(exchange),
    notes: [
      ...grantedTo(exchange),
      ...causeOf(exchange),
      ...interventionsIn(exchange),
      ...deviationsOf(exchange),
      ...advisoriesOf(exchange),
    ],
    rejected: isRejected(exchange),
  };
}

type Clock = Exchange['clock'];

/** A note when the clock was moved. A frozen clock falls behind by itself, which is not noted. */
function clockNote(before: Clock | null, now: Clock): Note[] {
  if (before === null || before.frozen || now.frozen) return [];
  const moved = now.offset_seconds - before.offset_seconds;
  if (Math.abs(moved) < 1) return [];
  const side = moved > 0 ? 'ahead' : 'back';
  return [
    { text: `the clock was moved ${durationInWords(Math.abs(moved))} ${side}`, tone: 'muted' },
  ];
}

/** A message, and the clock at its time; null when unknown. */
interface Timed {
  readonly message: Message;
  readonly clock: Clock | null;
}

/** The messages in order, with notes where the clock was moved. */
export function withClockNotes(all: readonly Timed[]): Message[] {
  let before: Clock | null = null;
  return all.map(({ message, clock }) => {
    if (clock === null) return message;
    const notes = [...clockNote(before, clock), ...message.notes];
    before = clock;
    return { ...message, notes };
  });
}

/** The whole message as a sentence, for its accessible name. */
export function messageInWords(message: Message, time: string): string {
  const { request, reply, notes, from, to } = message;
  const route = `${LANES[from]} to ${LANES[to]}`;
  return [`${time}, ${route}: ${request}, ${reply}`, ...notes.map(({ text }) => text)].join('. ');
}
