import { Switch } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { masked, type RawMessage } from './raw-http.ts';
import classes from './Raw.module.css';

interface RawTabProps {
  /** "request" or "response", for names. */
  readonly what: string;
  readonly raw: (pretty: boolean) => RawMessage;
}

/** One half of the exchange as it went over the wire; client secrets masked until revealed. */
export function RawTab({ what, raw }: RawTabProps) {
  const [pretty, setPretty] = useState(true);
  const [revealed, setRevealed] = useState(false);
  const { head, body, remark } = raw(pretty);
  const hides = masked(head) !== head || masked(body) !== body;
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
            label="Reveal secret"
            checked={revealed}
            onChange={(event) => setRevealed(event.currentTarget.checked)}
          />
        )}
        <span className={classes.space} />
        <CopyButton value={`${exact.head}\n\n${exact.body}`} label={`Copy ${what}`} text="Copy" />
      </div>
      <pre className={classes.text} tabIndex={0} role="region" aria-label={`Raw ${what}`}>
        <span className={classes.head}>{shown(head)}</span>
        {body !== '' && <span className={classes.body}>{shown(body)}</span>}
      </pre>
      {body === '' && <p className={classes.remark}>No body.</p>}
      {remark !== null && <p className={classes.remark}>{remark}</p>}
    </div>
  );
}
