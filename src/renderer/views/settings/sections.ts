// The sections of the settings and, for those that are plain values, what each value means.

import {
  ACCESS_TOKEN_FORMATS,
  AUTHORIZE_MODES,
  DIALECTS,
  PROFILES,
  SIGNING_ALGS,
} from '../../../control/schemas.ts';
import { durationWords } from '../../connection/clock.ts';
import {
  ALG_WORDS,
  AUTHORIZE_WORDS,
  DIALECT_WORDS,
  FORMAT_WORDS,
  PROFILE_WORDS,
} from '../../ui/words.ts';

interface Named {
  /** Path inside the settings: `lifetimes.code`. */
  readonly path: string;
  readonly label: string;
  readonly help: string;
}

export type SettingItem = Named &
  (
    | { readonly kind: 'switch' }
    | { readonly kind: 'text'; readonly placeholder: string }
    | {
        readonly kind: 'number';
        readonly unit: string;
        readonly words?: (value: number) => string;
        /** What no number means, where it may be left empty. */
        readonly placeholder?: string;
      }
    | { readonly kind: 'choice'; readonly options: Readonly<Record<string, string>> }
  );

export interface SettingsSection {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly items: readonly SettingItem[];
}

const choices = <T extends string>(names: readonly T[], words: Record<T, string>) =>
  Object.fromEntries(names.map((name) => [name, words[name]]));

const MB = 1_000_000;
const KB = 1000;
const bytesWords = (bytes: number) =>
  bytes >= MB ? `${(bytes / MB).toFixed(1)} MB` : `${(bytes / KB).toFixed(1)} kB`;

const seconds = { kind: 'number', unit: 's', words: durationWords } as const;
const bytes = { kind: 'number', unit: 'bytes', words: bytesWords } as const;

export const VALUE_SECTIONS: readonly SettingsSection[] = [
  {
    id: 'judgement',
    title: 'Judgement',
    about: 'How narrowly requests are read, and how refusals are worded.',
    items: [
      {
        path: 'profile',
        label: 'Profile',
        help: 'What is let pass. A client may have a profile of its own.',
        kind: 'choice',
        options: choices(PROFILES, PROFILE_WORDS),
      },
      {
        path: 'dialect',
        label: 'Dialect',
        help: 'The statuses and codes of error answers; the cause in the trace stays the same.',
        kind: 'choice',
        options: choices(DIALECTS, DIALECT_WORDS),
      },
      {
        path: 'authorize',
        label: 'Authorization',
        help: 'How requests at /authorize are met.',
        kind: 'choice',
        options: choices(AUTHORIZE_MODES, AUTHORIZE_WORDS),
      },
      {
        path: 'issuer',
        label: 'Issuer',
        help: 'The name in every token and in the metadata. Empty: the address of the running server.',
        kind: 'text',
        placeholder: 'http://localhost:<port>',
      },
      {
        path: 'exchange_header',
        label: 'Grantbench-Exchange header',
        help: 'Answers carry the number under which their trace is found.',
        kind: 'switch',
      },
    ],
  },
  {
    id: 'tokens',
    title: 'Tokens',
    about: 'What is issued and how long it lives. Running tokens keep what they were issued with.',
    items: [
      {
        path: 'access_token_format',
        label: 'Access token format',
        help: 'The shape of access tokens; a client may override it.',
        kind: 'choice',
        options: choices(ACCESS_TOKEN_FORMATS, FORMAT_WORDS),
      },
      {
        path: 'signing_alg',
        label: 'Signing algorithm',
        help: 'What new tokens are signed with. Every library reads RS256.',
        kind: 'choice',
        options: choices(SIGNING_ALGS, ALG_WORDS),
      },
      {
        ...seconds,
        path: 'lifetimes.access_token',
        label: 'Access token lifetime',
        help: 'Goes into expires_in; per client overridable.',
      },
      {
        ...seconds,
        path: 'lifetimes.refresh_token',
        label: 'Refresh token lifetime',
        help: 'After this the user has to authorize again.',
      },
      {
        ...seconds,
        path: 'lifetimes.refresh_token_idle',
        label: 'Refresh token idle time',
        help: 'A refresh token that is not used for so long expires. Empty: only its lifetime counts.',
        placeholder: 'No limit',
      },
      {
        ...seconds,
        path: 'lifetimes.code',
        label: 'Code lifetime',
        help: 'How long an authorization code waits for its exchange.',
      },
      {
        ...seconds,
        path: 'lifetimes.session',
        label: 'Sign-in session',
        help: 'How long a person stays signed in at the authorization endpoint.',
      },
      {
        path: 'refresh_rotation.enabled',
        label: 'Refresh token rotation',
        help: 'Every refresh answers with a new refresh token and retires the old one (RFC 9700 4.14.2).',
        kind: 'switch',
      },
      {
        ...seconds,
        path: 'refresh_rotation.grace_seconds',
        label: 'Rotation grace',
        help: 'For this long the former refresh token still works; later it revokes its lineage.',
      },
      {
        path: 'expiry_members',
        label: 'Expiry of the refresh token in answers',
        help: 'refresh_token_timeout and authorization_expires_in beside the refresh token.',
        kind: 'switch',
      },
    ],
  },
  {
    id: 'throttle',
    title: 'Throttle headers',
    about: 'What answers tell about the limit. The limit itself is set in Throttling.',
    items: [
      {
        path: 'throttle.ratelimit_headers',
        label: 'RateLimit and RateLimit-Policy',
        help: 'The IETF draft’s structured fields, on allowed answers too.',
        kind: 'switch',
      },
      {
        path: 'throttle.x_ratelimit_headers',
        label: 'X-RateLimit-Limit, -Remaining, -Reset',
        help: 'The older habit, with the reset as UTC epoch seconds.',
        kind: 'switch',
      },
      {
        path: 'throttle.retry_after_header',
        label: 'Retry-After',
        help: 'Whole seconds to wait, on 429 answers.',
        kind: 'switch',
      },
      {
        path: 'throttle.trust_proxy',
        label: 'Trust X-Forwarded-For',
        help: 'Counts by the address a proxy names last instead of the socket’s.',
        kind: 'switch',
      },
    ],
  },
  {
    id: 'capture',
    title: 'Capture',
    about:
      'How much traffic is kept to look at. The oldest goes first, at whichever limit comes first.',
    items: [
      {
        path: 'capture.max_exchanges',
        label: 'Exchanges kept',
        help: 'Requests with their answers and traces.',
        kind: 'number',
        unit: '',
      },
      {
        ...bytes,
        path: 'capture.max_bytes',
        label: 'Memory for exchanges',
        help: 'Bytes of headers and bodies held.',
      },
      {
        ...bytes,
        path: 'max_body_bytes',
        label: 'Largest request body',
        help: 'A larger one is answered 413.',
      },
    ],
  },
];

/** Beside what is chosen at the start of the server. */
export const CORS_ITEM: SettingItem = {
  path: 'cors',
  label: 'Let pages of any origin in (CORS)',
  help: 'On token, revoke, introspect, userinfo and metadata. Off: a browser shows your page no answer, as with an API that does not know it.',
  kind: 'switch',
};

export const SECTION_NAMES: readonly { readonly id: string; readonly title: string }[] = [
  ...VALUE_SECTIONS,
  { id: 'server', title: 'Server' },
  { id: 'registration', title: 'Client registration' },
  { id: 'keys', title: 'Signing keys' },
  { id: 'audiences', title: 'Audiences' },
  { id: 'workspace', title: 'Workspace' },
  { id: 'automation', title: 'Automation' },
  { id: 'appearance', title: 'Appearance' },
];
