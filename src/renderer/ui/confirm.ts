// Confirmation dialogs: one at a time, each with a promise of the answer.

import { Button, getDefaultZIndex, Group, Modal, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { holdRoute } from '../navigation/route.ts';
import { Cited } from './links.tsx';

export interface Question {
  readonly title: string;
  readonly body: string;
  /** Label of the button that confirms: "Reset", "Discard edits". */
  readonly confirm: string;
  readonly danger?: boolean;
}

interface Asked {
  readonly question: Question | null;
  readonly opened: boolean;
  readonly answer: (goOn: boolean) => void;
}

const asked = createStore<Asked>(() => ({
  question: null,
  opened: false,
  answer: () => undefined,
}));

/** Resolves to whether the question was confirmed. A new question declines the one that is open. */
export function confirm(question: Question): Promise<boolean> {
  asked.getState().answer(false);
  return new Promise((resolve) => {
    const answer = (goOn: boolean) => {
      asked.setState({ opened: false });
      resolve(goOn);
    };
    asked.setState({ question, opened: true, answer });
  });
}

export const confirmDiscard = (what = 'this form'): Promise<boolean> =>
  confirm({
    title: 'Discard your edits?',
    body: `Your changes to ${what} are not saved yet.`,
    confirm: 'Discard edits',
    danger: true,
  });

/** Shows the dialog of `confirm`; rendered once, in App. */
export function ConfirmHost() {
  const { question, opened, answer } = useStore(asked);
  if (question === null) return null;
  return (
    <Modal
      opened={opened}
      onClose={() => answer(false)}
      title={question.title}
      // The question may be about a dialog that was added to the page later than this one.
      zIndex={getDefaultZIndex('modal') + 1}
    >
      <Text c="dimmed">
        <Cited text={question.body} />
      </Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button onClick={() => answer(false)} data-autofocus>
          Cancel
        </Button>
        <Button
          variant="filled"
          color={question.danger === true ? 'bad' : 'accent'}
          onClick={() => answer(true)}
        >
          {question.confirm}
        </Button>
      </Group>
    </Modal>
  );
}

/** Asks before the page leaves unsaved edits. Returns a function that ends this once they are saved. */
export function useUnsavedGuard(dirty: boolean, what?: string): () => void {
  const release = useRef(() => {});
  useEffect(() => {
    if (!dirty) return undefined;
    release.current = holdRoute(() => confirmDiscard(what));
    return () => release.current();
  }, [dirty, what]);
  return () => release.current();
}
