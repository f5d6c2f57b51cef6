import { Switch } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '../ui/CopyButton.tsx';
import type { RawMessage } from './raw-http.ts';
import classes from './Raw.module.css';
import { RawText } from './RawText.tsx';
import { hidesSecrets, masked, type SecretsSwitch } from './secrets.ts';

interface RawTabProps {
  /** "request" or "response", for names. */
  readonly what: string;
  readonly raw: (pretty: boolean) => RawMessage;
  readonly secrets: SecretsSwitch;
}

/** One half of the exchange as it went over the wire; secrets hidden until revealed. */
export function RawTab({ what, raw, secrets: { revealed, onReveal } }: RawTabProps) {
  const [pretty, setPretty] = useState(true);
  const { head, body, query, remark } = raw(pretty);
  const hides = revealed || hidesSecrets(head) || hidesSecrets(body);
  const shown = (text: string) => (revealed ? text : masked(text));
  const exact = raw(false);
  return (
    <div className={classes.raw}>
      <div className={classes.bar}>
        <Switch
          label="Pretty"
          checked={pretty}
          onChange={(event) => setPretty(event.currentTarget.checked)}
        />
        {hides && (
          <Switch
            label="Reveal secrets"
            checked={revealed}
            onChange={(event) => onReveal(event.currentTarget.checked)}
          />
        )}
        <span className={classes.space} />
        <CopyButton value={`${exact.head}\n\n${exact.body}`} label={`Copy ${what}`} text="Copy" />
      </div>
      <pre className={classes.text} tabIndex={0} role="region" aria-label={`Raw ${what}`}>
        <RawText head={shown(head)} body={shown(body)} query={shown(query)} bodyFirst={pretty} />
      </pre>
      {body === '' && <p className={classes.remark}>No body.</p>}
      {remark !== null && <p className={classes.remark}>{remark}</p>}
    </div>
  );
}
