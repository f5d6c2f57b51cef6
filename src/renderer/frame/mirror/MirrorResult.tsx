import { Button } from '@mantine/core';
import { useState } from 'react';
import type { MirrorSummary } from '../../../control/window-contract.ts';
import { attempt } from '../../actions/sandbox.ts';
import type { AppWindow } from '../../actions/window.ts';
import { notify } from '../../ui/notify.tsx';
import classes from './Mirror.module.css';

interface NamesProps {
  readonly label: string;
  readonly names: readonly string[];
}

function Names({ label, names }: NamesProps) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{names.join(', ') || 'None'}</dd>
    </>
  );
}

function TakenOver({ endpoints, metadata, claims, signing_alg }: MirrorSummary) {
  return (
    <dl className={classes.facts}>
      {endpoints.map(({ name, path }) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd className={classes.path}>{path}</dd>
        </div>
      ))}
      <div className={classes.fact}>
        <Names label="Signing algorithm" names={signing_alg === null ? [] : [signing_alg]} />
      </div>
      <div className={classes.fact}>
        <Names label="Claims of the sample token" names={claims} />
      </div>
      <div className={classes.fact}>
        <Names label="Metadata" names={metadata} />
      </div>
    </dl>
  );
}

interface MirrorResultProps {
  readonly own: AppWindow;
  readonly made: MirrorSummary;
  readonly onBack: () => void;
  readonly onSaved: () => void;
}

/** What was taken over, and what was not; saved in a file of its own before it is used. */
export function MirrorResult({ own, made, onBack, onSaved }: MirrorResultProps) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    await attempt('The mirror was not saved.', async () => {
      const { file, opened } = await own.saveMirror();
      if (file === null) return;
      notify(opened ? `${made.name} is open` : `Saved as ${file}; it is not open`);
      onSaved();
    });
    setBusy(false);
  };
  return (
    <>
      <div className={classes.result} tabIndex={0} role="region" aria-label="What was made">
        <h3 className={classes.head}>Taken over</h3>
        <TakenOver {...made} />
        <h3 className={classes.head}>Left out or different</h3>
        <ul className={classes.notes}>
          {made.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
          {made.notes.length === 0 && <li>Nothing.</li>}
        </ul>
      </div>
      <div className={classes.buttons}>
        <span className={classes.state}>Your workspace is unchanged so far.</span>
        <Button variant="subtle" onClick={onBack}>
          Back
        </Button>
        <Button variant="filled" loading={busy} onClick={() => void save()} data-autofocus>
          Save and open…
        </Button>
      </div>
    </>
  );
}
