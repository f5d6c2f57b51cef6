// The sections of the settings: which settings belong to which, and how their values are shown. Labels and descriptions
// come from the schema.

import { fieldAt, type Field, type PathIn } from '../../../control/fields.ts';
import { settingsSchema, type Settings } from '../../../control/schemas.ts';
import { durationInWords } from '../../../words.ts';
import { bytesInWords } from '../../ui/short-forms.ts';

interface Named extends Field {
  readonly path: PathIn<Settings>;
}

type ValueKind =
  | { readonly kind: 'switch' }
  | { readonly kind: 'text'; readonly placeholder: string }
  /** Values without spaces, typed with spaces between them. */
  | { readonly kind: 'list'; readonly placeholder: string; readonly emptied?: readonly [] }
  | {
      readonly kind: 'number';
      readonly unit: string;
      readonly words?: (value: number) => string;
      /** The placeholder of an empty field, if the value is optional. */
      readonly placeholder?: string;
    }
  /** `unset`: the value in force while there is none. */
  | { readonly kind: 'choice'; readonly unset?: string }
  /** A PNG or JPEG image, kept as a data URL. */
  | { readonly kind: 'image' };

export type SettingItem = Named & ValueKind;

export interface SettingsSection {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly items: readonly SettingItem[];
}

const seconds = { kind: 'number', unit: 's', words: durationInWords } as const;
const bytes = { kind: 'number', unit: 'bytes', words: bytesInWords } as const;

/** A setting with its description from the schema. */
export const setting = <K extends ValueKind>(path: PathIn<Settings>, kind: K): Named & K => ({
  path,
  ...fieldAt(settingsSchema, path),
  ...kind,
});

const onOff = { kind: 'switch' } as const;
const choice = { kind: 'choice' } as const;

export const VALUE_SECTIONS: readonly SettingsSection[] = [
  {
    id: 'evaluation',
    title: 'Evaluation',
    about: 'How strictly requests are validated, and how rejections are worded.',
    items: [
      setting('profile', choice),
      setting('dialect', choice),
      setting('authorize', choice),
      setting('require_pushed_authorization_requests', onOff),
      setting('pkce_plain', onOff),
      setting('userinfo_audience', onOff),
      setting('acr_values_supported', { kind: 'list', placeholder: 'None' }),
      setting('issuer', { kind: 'text', placeholder: 'http://localhost:<port>' }),
      setting('exchange_header', onOff),
    ],
  },
  {
    id: 'tokens',
    title: 'Tokens',
    about:
      'What is issued and how long it lives. Changes do not affect tokens that were already issued.',
    items: [
      setting('access_token_format', choice),
      setting('signing_alg', choice),
      setting('lifetimes.access_token', seconds),
      setting('lifetimes.refresh_token', seconds),
      setting('lifetimes.refresh_token_idle', { ...seconds, placeholder: 'No limit' }),
      setting('lifetimes.code', seconds),
      setting('lifetimes.pushed_request', seconds),
      setting('lifetimes.device_code', seconds),
      setting('device_authorization.interval', seconds),
      setting('device_authorization.user_code', choice),
      setting('lifetimes.session', seconds),
      setting('refresh_rotation.enabled', onOff),
      setting('refresh_rotation.grace_seconds', seconds),
      setting('expiry_members', onOff),
      setting('scope_member', onOff),
    ],
  },
  {
    id: 'dpop',
    title: 'DPoP',
    about: 'Proofs of possession (RFC 9449), which the interop profile supports.',
    items: [
      setting('dpop.require_nonce', onOff),
      setting('dpop.nonce_seconds', seconds),
      setting('dpop.proof_seconds', seconds),
    ],
  },
  {
    id: 'sign_in_page',
    title: 'Sign-in page',
    about: 'The look of the page on which users sign in, and its aids for testers.',
    items: [
      setting('sign_in_page.name', { kind: 'text', placeholder: 'Grantbench' }),
      setting('sign_in_page.color', { kind: 'text', placeholder: '#047857' }),
      setting('sign_in_page.logo', { kind: 'image' }),
      setting('sign_in_page.authentication', { kind: 'choice', unset: 'none' }),
      setting('sign_in_page.extras', { kind: 'choice', unset: 'local' }),
    ],
  },
  {
    id: 'capture',
    title: 'Capture',
    about: 'How much traffic is kept. The oldest exchanges are dropped when a limit is exceeded.',
    items: [
      setting('capture.max_exchanges', { kind: 'number', unit: '' }),
      setting('capture.max_bytes', bytes),
      setting('max_body_bytes', bytes),
    ],
  },
];

/** In addition to what is set at startup. */
export const CORS_ITEM: SettingItem = setting('cors', onOff);

export const SECTION_NAMES: readonly { readonly id: string; readonly title: string }[] = [
  ...VALUE_SECTIONS,
  { id: 'server', title: 'Server' },
  { id: 'registration', title: 'Client registration' },
  { id: 'shape', title: 'Provider shape' },
  { id: 'keys', title: 'Signing keys' },
  { id: 'audiences', title: 'Audiences' },
  { id: 'apis', title: 'Protected APIs' },
  { id: 'workspace', title: 'Workspace' },
  { id: 'automation', title: 'Automation' },
  { id: 'appearance', title: 'Appearance' },
];

/** The pages of the index, each with its sections. The id of any of them opens the page. */
export const PAGES: readonly { readonly title: string; readonly sections: readonly string[] }[] = [
  { title: 'Evaluation', sections: ['evaluation', 'sign_in_page'] },
  { title: 'Tokens', sections: ['tokens', 'dpop'] },
  { title: 'APIs', sections: ['apis', 'audiences'] },
  { title: 'Server', sections: ['server', 'registration', 'capture'] },
  { title: 'Provider shape', sections: ['shape'] },
  { title: 'Signing keys', sections: ['keys'] },
  { title: 'Workspace', sections: ['workspace', 'automation'] },
  { title: 'Appearance', sections: ['appearance'] },
];
