import { useHotkeys } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { type Place, ThreePanes } from '../../ui/ThreePanes.tsx';
import { AnswerPane } from './AnswerPane.tsx';
import { Composer } from './Composer.tsx';
import { useHandedOver } from '../../sending/handover.ts';
import { begin, paste, send } from './request-actions.ts';
import { changeRequests, useRequests } from './requests-store.ts';
import { StartPane } from './StartPane.tsx';
import { Button, Group, Modal, Textarea } from '@mantine/core';
import { Unreadable } from './shell-words.ts';

const PANES = { first: 'start', second: 'request', third: 'answer' } as const;
const PLACES = { start: 'first', request: 'second', answer: 'third' } as const;

const show = (place: Place) => changeRequests({ pane: PANES[place] });

export function RequestsView() {
  const pane = useRequests((state) => state.pane);
  // Also works in fields, where the user types just before sending.
  useHotkeys([['mod+Enter', () => void send()]], []);
  const handed = useHandedOver('requests');
  useEffect(() => void begin(handed), [handed]);
  return (
    <>
      <ThreePanes
        width="220px"
        turns
        shown={PLACES[pane]}
        onShow={show}
        first={{ name: 'Start from', content: <StartPane /> }}
        second={{ name: 'Request', content: <Composer /> }}
        third={{ name: 'Exchange', short: 'Response', content: <AnswerPane /> }}
      />
      <PasteDialog />
    </>
  );
}

const close = () => changeRequests({ pasting: false });
const setCommand = (command: string) => changeRequests({ command });

function problemOf(command: string): string | null {
  try {
    paste(command);
    setCommand('');
    return null;
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

/** Imports a curl command. Keeps the text when it cannot be parsed. */
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
        classNames={{ input: 'mono' }}
        value={command}
        error={problem}
        onChange={({ currentTarget: { value } }) => {
          setCommand(value);
          setProblem(null);
        }}
      />
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="subtle" onClick={close}>
          Cancel
        </Button>
        <Button variant="filled" onClick={() => setProblem(problemOf(command))}>
          Import
        </Button>
      </Group>
    </Modal>
  );
}
