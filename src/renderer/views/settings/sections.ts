// The sections of the settings: which settings stand in which, and how their values are shown. What a
// setting is called and what it means is read from its schema.

import {
  ACCESS_TOKEN_FORMATS,
  AUTHORIZE_MODES,
  DIALECTS,
  PROFILES,
  SIGNING_ALGS,
  settingsSchema,
} from '../../../control/schemas.ts';
import { z } from '../../../control/zod.ts';
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

type ValueKind =
  | { readonly kind: 'switch' }
  | { readonly kind: 'text'; readonly placeholder: string }
  | {
      readonly kind: 'number';
      readonly unit: string;
      readonly words?: (value: number) => string;
      /** What no number means, where it may be left empty. */
      readonly placeholder?: string;
    }
  | { readonly kind: 'choice'; readonly options: Readonly<Record<string, string>> };

export type SettingItem = Named & ValueKind;

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

/** The schema of a setting; groups of settings stand in one of their own. */
function schemaOf(path: string): z.core.$ZodType {
  let schema: z.core.$ZodType = settingsSchema;
  for (const name of path.split('.')) {
    const group = schema instanceof z.ZodMiniPrefault ? schema.def.innerType : schema;
    const member = group instanceof z.ZodMiniObject ? group.shape[name] : undefined;
    if (member === undefined) throw new Error(`there is no setting ${path}`);
    schema = member;
  }
  return schema;
}

/** A setting, with the label and the help that its schema has. */
export function setting<K extends ValueKind>(path: string, kind: K): Named & K {
  const words = z.globalRegistry.get(schemaOf(path));
  return { path, label: words?.title ?? path, help: words?.description ?? '', ...kind };
}

const onOff = { kind: 'switch' } as const;
const choice = <T extends string>(names: readonly T[], words: Record<T, string>) =>
  ({ kind: 'choice', options: choices(names, words) }) as const;

export const VALUE_SECTIONS: readonly SettingsSection[] = [
  {
    id: 'judgement',
    title: 'Judgement',
    about: 'How strictly requests are validated, and how rejections are worded.',
    items: [
      setting('profile', choice(PROFILES, PROFILE_WORDS)),
      setting('dialect', choice(DIALECTS, DIALECT_WORDS)),
      setting('authorize', choice(AUTHORIZE_MODES, AUTHORIZE_WORDS)),
      setting('issuer', { kind: 'text', placeholder: 'http://localhost:<port>' }),
      setting('exchange_header', onOff),
    ],
  },
  {
    id: 'tokens',
    title: 'Tokens',
    about: 'What is issued and how long it lives. Running tokens keep what they were issued with.',
    items: [
      setting('access_token_format', choice(ACCESS_TOKEN_FORMATS, FORMAT_WORDS)),
      setting('signing_alg', choice(SIGNING_ALGS, ALG_WORDS)),
      setting('lifetimes.access_token', seconds),
      setting('lifetimes.refresh_token', seconds),
      setting('lifetimes.refresh_token_idle', { ...seconds, placeholder: 'No limit' }),
      setting('lifetimes.code', seconds),
      setting('lifetimes.session', seconds),
      setting('refresh_rotation.enabled', onOff),
      setting('refresh_rotation.grace_seconds', seconds),
      setting('expiry_members', onOff),
    ],
  },
  {
    id: 'throttle',
    title: 'Throttle headers',
    about: 'What responses tell about the limit. The limit itself is set in Throttling.',
    items: [
      setting('throttle.ratelimit_headers', onOff),
      setting('throttle.x_ratelimit_headers', onOff),
      setting('throttle.retry_after_header', onOff),
      setting('throttle.trust_proxy', onOff),
    ],
  },
  {
    id: 'capture',
    title: 'Capture',
    about:
      'How much traffic is kept to look at. The oldest goes first, at whichever limit comes first.',
    items: [
      setting('capture.max_exchanges', { kind: 'number', unit: '' }),
      setting('capture.max_bytes', bytes),
      setting('max_body_bytes', bytes),
    ],
  },
];

/** Beside what is chosen at the start of the server. */
export const CORS_ITEM: SettingItem = setting('cors', onOff);

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
