// Questions the page must ask before it goes on: one at a time, answered by a promise.

import { Button, getDefaultZIndex, Group, Modal, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { holdRoute } from '../navigation/route.ts';
import { Cited } from './links.tsx';

interface Question {
  readonly title: string;
  readonly body: string;
  /** The word on the button that goes on: "Reset", "Discard edits". */
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

/** Resolves to whether the person goes on. A new question answers the one still open with no. */
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

/** Shows the question of `confirm`; rendered once, in App. */
export function ConfirmHost() {
  const { question, opened, answer } = useStore(asked);
  if (question === null) return null;
  return (
    <Modal
      opened={opened}
      onClose={() => answer(false)}
      title={question.title}
      // It is asked of a dialog that may have been put into the page after it.
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

/** Asks before the page leaves unsaved edits. Returns a release for after they were saved. */
export function useUnsavedGuard(dirty: boolean, what?: string): () => void {
  const release = useRef(() => {});
  useEffect(() => {
    if (!dirty) return undefined;
    release.current = holdRoute(() => confirmDiscard(what));
    return () => release.current();
  }, [dirty, what]);
  return () => release.current();
}
