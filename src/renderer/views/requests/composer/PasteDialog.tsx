import { Button, Modal, Textarea } from '@mantine/core';
import { useState } from 'react';
import { paste } from '../request-actions.ts';
import { changeRequests, useRequests } from '../requests-store.ts';
import { Unreadable } from '../paste/remark.ts';
import classes from './Composer.module.css';

const close = () => changeRequests((state) => ({ ...state, pasting: false }));
const keep = (command: string) => changeRequests((state) => ({ ...state, command }));

function problemOf(command: string): string | null {
  try {
    paste(command);
    keep('');
    return null;
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

/** Takes a curl command that was copied elsewhere; what was typed stays when it cannot be read. */
export function PasteDialog() {
  const opened = useRequests((state) => state.pasting);
  const command = useRequests((state) => state.command);
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <Modal opened={opened} onClose={close} title="Paste a curl command" size="lg">
      <Textarea
        label="Command"
        description="From a browser’s network panel, a log or a colleague, quoted for bash or for the Windows command line. It is parsed, not run."
        placeholder={
          "curl -X POST http://localhost:4280/oauth/token \\\n  -H 'Content-Type: application/json' \\\n  -d '{ … }'"
        }
        autosize
        minRows={8}
        maxRows={16}
        spellCheck={false}
        data-autofocus
        classNames={{ input: classes.command }}
        value={command}
        error={problem}
        onChange={({ currentTarget: { value } }) => {
          keep(value);
          setProblem(null);
        }}
      />
      <div className={classes.buttons}>
        <Button variant="subtle" onClick={close}>
          Cancel
        </Button>
        <Button variant="filled" onClick={() => setProblem(problemOf(command))}>
          Import
        </Button>
      </div>
    </Modal>
  );
}
