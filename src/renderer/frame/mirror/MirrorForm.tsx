import { Button, Textarea, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { MirrorInput, MirrorSummary } from '../../../control/window-contract.ts';
import type { AppWindow } from '../../actions/window.ts';
import { useRecordForm } from '../../ui/record-form.tsx';
import classes from './Mirror.module.css';

interface MirrorDraft extends Record<string, unknown>, MirrorInput {}

const checkDraft = ({ issuer }: MirrorDraft) =>
  issuer.trim() === '' ? { issuer: 'Enter the issuer of the provider.' } : {};

interface MirrorFormProps {
  readonly own: AppWindow;
  /** What was typed before. */
  readonly initial: MirrorInput;
  readonly onMade: (made: MirrorSummary, of: MirrorInput) => void;
  readonly onClose: () => void;
}

export function MirrorForm({ own, initial, onMade, onClose }: MirrorFormProps) {
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const { form, busy, submit, element } = useRecordForm<MirrorDraft>({
    initial: { ...initial },
    validate: checkDraft,
    failure: 'The provider was not mirrored.',
    save: async (draft) => {
      const run = new AbortController();
      running.current = run;
      try {
        onMade(await own.mirror(draft, { signal: run.signal }), draft);
      } catch (error) {
        if (!run.signal.aborted) throw error;
      }
    },
  });
  return (
    <form onSubmit={submit} ref={element} noValidate className={classes.form}>
      <TextInput
        label="Issuer"
        description="https, or http on a loopback address. Its public metadata and JWK Set are requested, and nothing else."
        placeholder="https://login.example.com/"
        spellCheck={false}
        readOnly={busy}
        data-autofocus
        {...form.getInputProps('issuer')}
      />
      <Textarea
        label="Sample token (optional)"
        description="An access token of the provider. It is decoded on this machine and sent nowhere: its claims keep their names and get made-up values."
        autosize
        minRows={3}
        maxRows={6}
        spellCheck={false}
        readOnly={busy}
        classNames={{ input: classes.token }}
        {...form.getInputProps('token')}
      />
      <div className={classes.buttons}>
        <span className={classes.state} role="status">
          {busy && 'Requesting the metadata and the JWK Set…'}
        </span>
        <Button variant="subtle" onClick={() => (busy ? running.current?.abort() : onClose())}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" loading={busy}>
          Mirror
        </Button>
      </div>
    </form>
  );
}
