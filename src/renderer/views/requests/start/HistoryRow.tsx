import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { timeOfDay } from '../../../connection/clock.ts';
import { statusWords } from '../../../ui/status.ts';
import { StatusTag } from '../../../ui/StatusTag.tsx';
import type { Tone } from '../../../ui/tone.ts';
import { answerTone } from '../../../exchange/answer.ts';
import { titleOf } from '../draft-words.ts';
import { edit, resend } from '../request-actions.ts';
import { withShown, type Answer, type Sent } from '../requests-state.ts';
import { changeRequests } from '../requests-store.ts';
import classes from './Start.module.css';

function tagOf(answer: Answer): { tone: Tone; words: string } {
  switch (answer.kind) {
    case 'exchange':
      return { tone: answerTone(answer.exchange), words: statusWords(answer.exchange.status) };
    case 'run':
      return { tone: 'info', words: `${answer.run.tally.sent.toLocaleString('en')}×` };
    case 'sending':
      return { tone: 'muted', words: '…' };
    case 'cancelled':
      return { tone: 'muted', words: 'cancelled' };
    case 'failed':
      return { tone: 'bad', words: 'not sent' };
    case 'kept':
      return { tone: 'muted', words: answer.words };
  }
}

interface HistoryRowProps {
  readonly sent: Sent;
  readonly shown: boolean;
}

/** One request that was sent: its response, and what can be done with it. */
export function HistoryRow({ sent, shown }: HistoryRowProps) {
  const { draft, answer, at } = sent;
  const kept = answer.kind === 'kept';
  const title = titleOf(draft);
  const { tone, words } = tagOf(answer);
  const open = () => {
    if (kept) void edit(sent);
    else changeRequests((state) => withShown(state, sent.id));
  };
  return (
    <li className={classes.sent} data-shown={shown || undefined}>
      <button
        type="button"
        className={classes.open}
        aria-current={shown || undefined}
        onClick={open}
      >
        <StatusTag tone={tone}>{words}</StatusTag>
        <span>{title}</span>
        <span className={classes.under}>
          {kept
            ? 'from an earlier session, without secrets'
            : `${draft.client_id ?? draft.method} · ${timeOfDay(at)}`}
        </span>
      </button>
      <Menu position="bottom-end">
        <Tooltip label="More">
          <Menu.Target>
            <ActionIcon aria-label={`More for ${title}, ${words}`}>
              <IconDots size="1.1em" />
            </ActionIcon>
          </Menu.Target>
        </Tooltip>
        <Menu.Dropdown>
          {!kept && <Menu.Item onClick={() => void resend(sent)}>Resend unchanged</Menu.Item>}
          <Menu.Item onClick={() => void edit(sent)}>Edit and send</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}
