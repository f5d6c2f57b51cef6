import { Button, Loader } from '@mantine/core';
import { IconCircleOff, IconPlugConnectedX, IconSend } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { startServer } from '../../../actions/sandbox.ts';
import { keysOf } from '../../../navigation/command.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { resend } from '../request-actions.ts';
import { shownEntry, type Sent } from '../requests-state.ts';
import { useRequests } from '../requests-store.ts';
import { cancel } from '../send.ts';
import classes from './Answer.module.css';
import { AnsweredPane } from './AnsweredPane.tsx';
import { RunPane } from './RunPane.tsx';
import { Told } from './Told.tsx';

function Waiting() {
  return (
    <div className={classes.waiting}>
      <Loader size="sm" aria-hidden="true" />
      <p>Waiting for the response…</p>
      <Button onClick={cancel}>Cancel</Button>
    </div>
  );
}

async function startAndSend(sent: Sent): Promise<void> {
  if (await startServer()) await resend(sent);
}

interface FailedProps {
  readonly sent: Sent;
  readonly message: string;
  readonly stopped: boolean;
}

function Failed({ sent, message, stopped }: FailedProps) {
  return (
    <EmptyState
      icon={<IconPlugConnectedX />}
      title="No response"
      text={message}
      action={
        stopped ? (
          <Button variant="filled" onClick={() => void startAndSend(sent)}>
            Start the server and send
          </Button>
        ) : (
          <Button onClick={() => void resend(sent)}>Send again</Button>
        )
      }
    />
  );
}

const NOTHING_YET = (
  <EmptyState
    icon={<IconSend />}
    title="No response yet"
    text={`Send the request with ${keysOf('mod+Enter')}. Its response is explained here: status, headers and body, every check, and the tokens in it.`}
  />
);

function contentOf(sent: Sent): ReactNode {
  const { answer } = sent;
  switch (answer.kind) {
    case 'sending':
      return <Waiting />;
    case 'exchange':
      return <AnsweredPane key={sent.id} sent={sent} exchange={answer.exchange} />;
    case 'failed':
      return <Failed sent={sent} message={answer.message} stopped={answer.stopped} />;
    case 'cancelled':
      return (
        <EmptyState
          icon={<IconCircleOff />}
          title="Cancelled"
          text="Grantbench stopped waiting for the response. The server may have processed the request anyway; Traffic shows it if so."
          action={<Button onClick={() => void resend(sent)}>Send again</Button>}
        />
      );
    case 'run':
      return <RunPane key={sent.id} sent={sent} run={answer.run} />;
    case 'kept':
      return NOTHING_YET;
  }
}

/** The response to the request that is selected in the history. */
export function AnswerPane() {
  const sent = useRequests(shownEntry);
  return (
    <>
      <Told />
      {sent === null ? NOTHING_YET : contentOf(sent)}
    </>
  );
}
