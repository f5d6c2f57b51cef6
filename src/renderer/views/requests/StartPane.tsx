import { usePage } from '../../connection/state.ts';
import { SavedList } from '../../saved/SavedList.tsx';
import { useSaved, whereWords } from '../../saved/saved.ts';
import { edit, resend, startFrom } from './request-actions.ts';
import { changeRequests, requests, useRequests } from './requests-store.ts';
import { templatesFor, titleOf } from './templates.ts';
import { Button, Divider, Group, Stack, Text } from '@mantine/core';
import { type Answer, type Sent, withoutHistory, withShown } from './requests-state.ts';
import { notifyWithUndo } from '../../ui/notify.tsx';
import { timeOfDay } from '../../connection/clock.ts';
import { statusWords, StatusTag, type Tone } from '../../ui/status.tsx';
import { answerTone } from '../../exchange/answer.ts';
import { MenuAction, MoreMenu } from '../../ui/MenuAction.tsx';
import rows from '../../ui/item.module.css';
import classes from './Requests.module.css';
import { Hint } from '../../ui/panel.tsx';

/** Starting points for a request: what is saved, endpoints and the history. */
export function StartPane() {
  return (
    <Stack gap={0} flex={1} mih={0} className={classes.start}>
      <SavedItems />
      <TemplateList />
      <HistoryList />
    </Stack>
  );
}

/** What is saved. Renders nothing when nothing is. */
function SavedItems() {
  const none = useSaved().length === 0;
  const current = useRequests((state) => state.saved_as);
  const where = usePage((state) => whereWords(state.server));
  if (none) return null;
  return (
    <div>
      <h2 className={classes.head}>Saved</h2>
      <SavedList first="request" current={current} />
      <Hint p="0 var(--s4) var(--s4)">{where}</Hint>
    </div>
  );
}

const GROUPS = ['Token endpoint', 'Endpoints', 'Documents'] as const;

/** One request for each endpoint, composed for the current client. */
function TemplateList() {
  const settings = usePage((state) => state.settings);
  const current = useRequests(({ saved_as, draft }) => (saved_as === null ? draft.template : null));
  const templates = templatesFor(settings);
  return GROUPS.map((group) => (
    <div key={group}>
      <h2 className={classes.head}>{group}</h2>
      <ul role="list" className={classes.list} aria-label={group}>
        {templates
          .filter((template) => template.group === group)
          .map(({ id, title }) => (
            <li key={id}>
              <button
                type="button"
                className={`${rows.item} ${classes.item}`}
                aria-current={id === current || undefined}
                onClick={() => void startFrom(id)}
              >
                {title}
              </button>
            </li>
          ))}
      </ul>
    </div>
  ));
}

function clear(): void {
  const { history: former } = requests.getState();
  changeRequests(withoutHistory);
  notifyWithUndo('Request history cleared', () =>
    changeRequests((state) => {
      const known = new Set(state.history.map(({ id }) => id));
      return {
        ...state,
        history: [...state.history, ...former.filter(({ id }) => !known.has(id))],
      };
    }),
  );
}

function HistoryList() {
  const history = useRequests((state) => state.history);
  const shown = useRequests((state) => state.shown);
  return (
    <>
      <Divider mt="var(--s1)" color="var(--line)" />
      <div className={classes.head}>
        <h2>History</h2>
        {history.length > 0 && (
          <Button variant="subtle" onClick={clear}>
            Clear
          </Button>
        )}
      </div>
      {history.length === 0 ? (
        <Hint p="0 var(--s4) var(--s4)">
          The requests you send are listed here. You can view, edit and resend them.
        </Hint>
      ) : (
        <ol role="list" className={classes.list} aria-label="History">
          {history.map((sent) => (
            <HistoryRow key={sent.id} sent={sent} shown={sent.id === shown} />
          ))}
        </ol>
      )}
    </>
  );
}

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
      return { tone: 'bad', words: statusWords(0) };
    case 'restored':
      return { tone: 'muted', words: answer.words };
  }
}

function HistoryRow({ sent, shown }: { readonly sent: Sent; readonly shown: boolean }) {
  const { draft, answer, at } = sent;
  const restored = answer.kind === 'restored';
  const title = titleOf(draft);
  const { tone, words } = tagOf(answer);
  const open = () => {
    if (restored) void edit(sent);
    else changeRequests((state) => withShown(state, sent.id));
  };
  return (
    <li className={rows.row} data-shown={shown || undefined}>
      <button type="button" className={rows.open} aria-current={shown || undefined} onClick={open}>
        <Group gap="xs" wrap="nowrap">
          <StatusTag tone={tone}>{words}</StatusTag>
          <Text span truncate>
            {title}
          </Text>
        </Group>
        <Text span truncate display="block" fz="var(--fs-xs)" c="dimmed">
          {restored
            ? 'from an earlier session, without secrets'
            : `${draft.client_id ?? draft.method} · ${timeOfDay(at)}`}
        </Text>
      </button>
      <MoreMenu what={`${title}, ${words}`}>
        {!restored && (
          <MenuAction needs="server" onClick={() => void resend(sent)}>
            Resend unchanged
          </MenuAction>
        )}
        <MenuAction onClick={() => void edit(sent)}>Edit and send</MenuAction>
      </MoreMenu>
    </li>
  );
}
