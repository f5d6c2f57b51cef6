import { IconAlertTriangle, IconLoader2, IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import type { SignatureVerdict } from './signature.ts';
import classes from './Inspector.module.css';
import { Cited } from '../ui/links.tsx';

const LOOKS = {
  checking: { Icon: IconLoader2, tone: 'muted', word: 'Checking' },
  verified: { Icon: IconShieldCheck, tone: 'ok', word: 'Signature verified' },
  broken: { Icon: IconShieldX, tone: 'bad', word: 'Signature invalid' },
  unknown_key: { Icon: IconShieldX, tone: 'bad', word: 'Unknown key' },
  unsigned: { Icon: IconShieldX, tone: 'bad', word: 'Unsigned' },
  unpublished: { Icon: IconAlertTriangle, tone: 'warn', word: 'Not checked' },
  unable: { Icon: IconAlertTriangle, tone: 'warn', word: 'Not checked' },
} as const;

/** Whether the signature is valid under the server's own keys. */
export function SignatureLine({ verdict }: { readonly verdict: SignatureVerdict }) {
  const { Icon, tone, word } = LOOKS[verdict.state];
  return (
    <p className={classes.signature} data-tone={tone} role="status">
      <Icon aria-hidden="true" />
      <span>
        <b>{word}</b> <Cited text={verdict.text} />
      </span>
    </p>
  );
}
