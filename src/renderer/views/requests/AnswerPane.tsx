import { Box, Button, Loader, Stack } from '@mantine/core';
import {
  IconArrowLeft,
  IconCircleOff,
  IconPencil,
  IconPlugConnectedX,
  IconRepeat,
  IconSend,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { startServer } from '../../actions/sandbox.ts';
import { keysOf } from '../../navigation/command.ts';
import { EmptyState, PanelHead } from '../../ui/panel.tsx';
import { edit, resend, cancel } from './request-actions.ts';
import { type Answer, type Sent, shownEntry } from './requests-state.ts';
import { changeRequests, useRequests } from './requests-store.ts';
import type { Exchange } from '../../../control/schemas/exchanges.ts';
import { useReach } from '../../connection/reach.ts';
import { useIssuer } from '../../connection/state.ts';
import { ActionButton, CopyButton, IconButton } from '../../ui/buttons.tsx';
import { curlOf } from '../../exchange/curl.ts';
import { ExchangeDetail } from '../../exchange/ExchangeDetail.tsx';
import { outcomeWords, type Repeated } from '../../sending/repeat-request.ts';
import { RepetitionResult } from '../../sending/RepetitionParts.tsx';
import { titleOf } from './templates.ts';
import split from '../../ui/split.module.css';

function Waiting() {
  return (
    <Stack flex={1} mih={0} align="center" justify="center" gap="sm" c="dimmed">
      <Loader size="sm" aria-hidden="true" />
      <p>Waiting for the response…</p>
      <Button onClick={cancel}>Cancel</Button>
    </Stack>
  );
}

async function startAndSend(sent: Sent): Promise<void> {
  if (await startServer()) await resend(sent);
}

/** Whether a request is being sent: a button that sends another one then does nothing. */
const useBusy = () => useRequests(({ busy }) => busy !== null);

const ResendButton = ({ sent }: { readonly sent: Sent }) => (
  <ActionButton needs="connection" busy={useBusy()} onClick={() => void resend(sent)}>
    Resend
  </ActionButton>
);

function Failed({ sent, message }: { readonly sent: Sent; readonly message: string }) {
  const busy = useBusy();
  const stopped = useReach(({ server }) => server === 'stopped' || server === 'failed');
  return (
    <EmptyState
      icon={IconPlugConnectedX}
      title="No response"
      text={message}
      action={
        stopped ? (
          <ActionButton
            variant="filled"
            needs="connection"
            busy={busy}
            onClick={() => void startAndSend(sent)}
          >
            Start the server and send
          </ActionButton>
        ) : (
          <ResendButton sent={sent} />
        )
      }
    />
  );
}

const NOTHING_YET = (
  <EmptyState
    icon={IconSend}
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
      return <Failed sent={sent} message={answer.message} />;
    case 'cancelled':
      return (
        <EmptyState
          icon={IconCircleOff}
          title="Cancelled"
          text="Grantbench stopped waiting for the response. The server may have processed the request anyway; Traffic shows it if so."
          action={<ResendButton sent={sent} />}
        />
      );
    case 'run':
      return <RunPane key={sent.id} sent={sent} run={answer.run} />;
    case 'restored':
      return NOTHING_YET;
  }
}

/** The response to the request that is selected in the history. */
export function AnswerPane() {
  const sent = useRequests(shownEntry);
  return (
    <>
      {/* Announces the outcome of the request to screen readers. */}
      <div role="status" className="visually-hidden">
        {sent !== null && words(sent.answer)}
      </div>
      {sent === null ? NOTHING_YET : contentOf(sent)}
    </>
  );
}

interface AnsweredPaneProps {
  readonly sent: Sent;
  readonly exchange: Exchange;
  /** Shown in place of the usual actions. */
  readonly actions?: ReactNode;
}

function Actions({ sent, exchange }: AnsweredPaneProps) {
  const issuer = useIssuer();
  const busy = useBusy();
  return (
    <>
      <CopyButton value={curlOf(exchange, issuer)} label="Copy as curl" />
      <IconButton label="Edit and send" icon={IconPencil} onClick={() => void edit(sent)} />
      <IconButton
        label="Resend unchanged"
        icon={IconRepeat}
        needs="connection"
        busy={busy}
        onClick={() => void resend(sent)}
      />
    </>
  );
}

function AnsweredPane(props: AnsweredPaneProps) {
  const tab = useRequests((state) => state.detail);
  return (
    <ExchangeDetail
      exchange={props.exchange}
      tab={tab}
      onTab={(detail) => changeRequests({ detail })}
      actions={props.actions ?? <Actions {...props} />}
    />
  );
}

const showOutcome = (outcome: number | null) => changeRequests({ outcome });

const STATE_WORDS: Record<Repeated['state'], string> = {
  running: 'sending',
  done: 'done',
  stopped: 'cancelled',
  failed: 'ended early',
};

function RunPane({ sent, run }: { readonly sent: Sent; readonly run: Repeated }) {
  const place = useRequests((requests) => requests.outcome);
  const exchange = place === null ? null : run.tally.outcomes[place]?.first.exchange;
  if (exchange) {
    const back = (
      <Button variant="subtle" leftSection={<IconArrowLeft />} onClick={() => showOutcome(null)}>
        All responses
      </Button>
    );
    return <AnsweredPane sent={sent} exchange={exchange} actions={back} />;
  }
  return (
    <>
      <PanelHead
        title={`${titleOf(sent.draft)}, ${run.goal.toLocaleString('en')} times`}
        note={STATE_WORDS[run.state]}
      />
      <Box p="md" className={split.scroll}>
        <RepetitionResult
          repeated={run}
          stop={<Button onClick={cancel}>Cancel</Button>}
          onOpen={showOutcome}
        />
      </Box>
    </>
  );
}

function words(answer: Answer): string {
  switch (answer.kind) {
    case 'sending':
    case 'restored':
      return '';
    case 'exchange': {
      const { exchange } = answer;
      if (exchange.status === 0) return `No response. ${exchange.fault?.what ?? ''}`;
      return `Response: ${outcomeWords(exchange)}. ${exchange.why?.summary ?? ''}`;
    }
    case 'failed':
      return `No response. ${answer.message}`;
    case 'cancelled':
      return 'Cancelled.';
    case 'run':
      return answer.run.state === 'running' ? '' : `${answer.run.tally.sent} requests answered.`;
  }
}
