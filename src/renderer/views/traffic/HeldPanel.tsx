// Held exchanges: the strip that lists them, and the panel of one, which says what would happen to its request or what
// its response is, with fields to edit and the decisions.

import { Alert, Button, Group, Loader, Select, Stack, Text, TextInput } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useCallback, useState, type ReactNode } from 'react';
import type { Exchange, HeldDetail, ReleaseHeld } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { useSandboxNow } from '../../connection/clock.ts';
import { type State, usePage } from '../../connection/state.ts';
import { WhyTab } from '../../exchange/WhyTab.tsx';
import { ActionButton } from '../../ui/buttons.tsx';
import { LoadFailed, Loading, PanelHead } from '../../ui/panel.tsx';
import { MONO } from '../../ui/field-props.ts';
import { pluralize } from '../../../words.ts';
import { Rows } from '../../ui/rows.tsx';
import { StatusTag, statusWords, toneOf } from '../../ui/status.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import panel from '../../ui/panel.module.css';
import classes from './Traffic.module.css';
import { openExchange } from './traffic-actions.ts';
import {
  answer,
  claimRows,
  drop,
  type EditRow,
  editsBetween,
  release,
  releaseAll,
  requestRows,
  responseRows,
} from './holding.ts';

/** Whole seconds until a time of the machine, counted down. */
function SecondsLeft({ ends_ms }: { readonly ends_ms: number }) {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), 1000, { autoInvoke: true });
  const left = Math.max(0, Math.floor((ends_ms - now) / 1000));
  return (
    <Text span ff="monospace" fz="var(--fs-xs)" aria-label={`${left} seconds left`}>
      {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
    </Text>
  );
}

type HeldRow = State['held'][number];

/** `/authorize?…` */
const withoutQuery = (path: string): string => path.replace(/\?.*$/s, '?…');

function HeldLine({ held }: { readonly held: HeldRow }) {
  const { number, at, method, path, client_id, client_gone, ends_ms } = held;
  return (
    <Group component="li" gap="xs" wrap="nowrap" fz="sm">
      <SecondsLeft ends_ms={ends_ms} />
      <Text span inherit truncate flex="1">
        <code>
          #{number} {method} {withoutQuery(path)}
        </code>
        {client_id !== null && ` · ${client_id}`}
        {at === 'response' && ' · response'}
        {client_gone && ' · the client hung up'}
      </Text>
      <Button onClick={() => void openExchange(number)} aria-label={`Open held exchange ${number}`}>
        Open
      </Button>
      <ActionButton
        onClick={() => void release({ number })}
        aria-label={`Release held exchange ${number}`}
        needs="connection"
      >
        Release
      </ActionButton>
    </Group>
  );
}

/** Exchanges that wait for a decision, above the list. */
export function HeldStrip() {
  const held = usePage((state) => state.held);
  if (held.length === 0) return null;
  return (
    <section className={`${panel.bar} ${classes.held}`} aria-label="Held exchanges">
      <Group justify="space-between" wrap="nowrap">
        <Text fw="bold" fz="sm" role="status">
          {pluralize(held.length, 'exchange')} held
        </Text>
        {held.length > 1 && (
          <ActionButton onClick={() => void releaseAll()} needs="connection">
            Release all
          </ActionButton>
        )}
      </Group>
      <ul role="list">
        {held.map((one) => (
          <HeldLine key={`${one.number} ${one.at}`} held={one} />
        ))}
      </ul>
    </section>
  );
}

interface EditRowsProps {
  readonly title: string;
  /** Names one row: "claim". */
  readonly what: string;
  readonly rows: readonly EditRow[];
  readonly onChange: (rows: readonly EditRow[]) => void;
}

/** Names and values that can be changed, removed and added. */
const EditRows = ({ title, what, rows, onChange }: EditRowsProps) => (
  <Stack component="fieldset" gap={4} bd={0} p={0} m={0}>
    <Text component="legend" fw="bold" fz="sm" p={0}>
      {title}
    </Text>
    <Rows
      items={rows}
      what={what}
      nameOf={(row) => row.name}
      gap={4}
      onAdd={() => onChange([...rows, { name: '', text: '' }])}
      onRemove={(index) => onChange(rows.toSpliced(index, 1))}
    >
      {(row, index, remove) => {
        const change = (to: Partial<EditRow>) => onChange(rows.with(index, { ...row, ...to }));
        return (
          <Group gap={4} wrap="nowrap" align="flex-start">
            <TextInput
              w="38%"
              {...MONO}
              aria-label={`${title}: name ${index + 1}`}
              value={row.name}
              onChange={({ currentTarget: { value: name } }) => change({ name })}
            />
            <TextInput
              flex="1"
              {...MONO}
              aria-label={`${title}: ${row.name || `value ${index + 1}`}`}
              value={row.text}
              onChange={({ currentTarget: { value: text } }) => change({ text })}
            />
            {remove}
          </Group>
        );
      }}
    </Rows>
  </Stack>
);

/** The refusals that the endpoint returns; to a form, only those on a page. */
function AnswerWith({ held: { number, endpoint, method } }: { readonly held: HeldDetail }) {
  const read = useCallback(() => control.refusals.list(), []);
  const { known } = useLoaded(read, 0);
  const [reason, setReason] = useState<string | null>(null);
  const deliveries = ['json', 'page', ...(method === 'GET' ? ['redirect'] : [])];
  const options = (known?.items ?? []).filter(({ places }) =>
    places.some((place) => place.endpoint === endpoint && deliveries.includes(place.delivery)),
  );
  if (endpoint === null || (known !== null && options.length === 0)) return null;
  return (
    <Group gap="xs" wrap="nowrap">
      <Select
        flex="1"
        searchable
        aria-label="Answer with a refusal"
        placeholder="Answer with…"
        data={options.map(({ id, summary }) => ({ value: id, label: `${id}: ${summary}` }))}
        value={reason}
        onChange={setReason}
        rightSection={known === null ? <Loader size={14} /> : undefined}
      />
      <ActionButton
        disabled={reason === null}
        onClick={() => reason !== null && void answer(number, reason)}
        needs="connection"
      >
        Answer
      </ActionButton>
    </Group>
  );
}

interface Edited {
  readonly fields: readonly EditRow[];
  readonly claims: readonly EditRow[];
  /** Replaced or added in a response. */
  readonly headers: readonly EditRow[];
  readonly status: string;
}

/** The edited fields of a held exchange, and what they change. */
function useEdits(held: HeldDetail) {
  const isRequest = held.at === 'request';
  const [before] = useState(() => {
    const { rows, json } = isRequest ? requestRows(held) : responseRows(held);
    const edited: Edited = {
      fields: rows,
      claims: claimRows(held),
      headers: [],
      status: String(held.exchange.status),
    };
    return { ...edited, json };
  });
  const [now, setNow] = useState<Edited>(before);
  const members = editsBetween(before.fields, now.fields, before.json);
  const claims = editsBetween(before.claims, now.claims, true);
  const headers = now.headers.flatMap(({ name, text }): [string, string][] =>
    name === '' ? [] : [[name, text]],
  );
  const status = now.status === before.status ? {} : { status: Number(now.status) };
  const response = { ...status, headers, members, claims };
  const isEdited =
    now.status !== before.status || [members, claims, headers].some(({ length }) => length > 0);
  return {
    now,
    change: (part: Partial<Edited>) => setNow((former) => ({ ...former, ...part })),
    isEdited,
    requestEdits: isRequest ? members : [],
    /** What the order to release it says about the edits. */
    order: isRequest ? { request: members } : isEdited ? { response } : {},
  };
}

interface ForecastNow {
  /** undefined while it is not known. */
  readonly forecast: HeldDetail['forecast'] | undefined;
  /** Why it cannot be known. */
  readonly problem: string | null;
}

/** Changes with everything that a forecast depends on: the state of the sandbox and its time. */
const useForecastRevision = () => `${usePage(({ last_event }) => last_event)} ${useSandboxNow()}`;

function useForecast(
  { number, forecast }: HeldDetail,
  edits: NonNullable<ReleaseHeld['request']>,
): ForecastNow {
  const text = JSON.stringify(edits);
  const read = useCallback(
    (signal: AbortSignal) =>
      control.holds.forecast(
        { number, request: JSON.parse(text) as NonNullable<ReleaseHeld['request']> },
        { signal },
      ),
    [number, text],
  );
  const isEdited = edits.length > 0 && forecast !== null;
  const { known, problem } = useLoaded(isEdited ? read : null, useForecastRevision(), text);
  return isEdited ? { forecast: known?.forecast, problem } : { forecast, problem: null };
}

/** The exchange as it would be, or is so far. */
function foreseen({ exchange }: HeldDetail, forecast: HeldDetail['forecast']): Exchange {
  if (forecast === null) return exchange;
  const { trace, why, profile, grant_type, client_id, fault } = forecast;
  const { deviation_notes, advisory_notes } = forecast;
  const known = { profile, grant_type, client_id, fault };
  return { ...exchange, ...known, trace, why, deviation_notes, advisory_notes };
}

interface ForecastLineProps extends ForecastNow {
  readonly held: HeldDetail;
}

function ForecastLine({ held: { at, exchange }, forecast, problem }: ForecastLineProps) {
  if (problem !== null) {
    return (
      <Text role="status" fz="sm" c="var(--bad)">
        {problem}
      </Text>
    );
  }
  if (forecast === undefined) return <Loader size={16} aria-label="Loading the forecast" />;
  if (at === 'request' && forecast === null) {
    return (
      <Text fz="sm" c="dimmed">
        The request waits before its evaluation. This endpoint has no forecast.
      </Text>
    );
  }
  const { status, error } = forecast ?? exchange;
  return (
    <Group gap="xs" fz="sm">
      <Text span inherit>
        {at === 'request' ? 'If released now:' : 'The response that waits:'}
      </Text>
      <StatusTag tone={toneOf(status)}>{statusWords(status)}</StatusTag>
      {error !== null && <code>{error}</code>}
    </Group>
  );
}

function Decisions({ held, edits }: { readonly held: HeldDetail; readonly edits: Edits }) {
  const { number, at } = held;
  const go = (more: Partial<ReleaseHeld> = {}) => void release({ number, ...edits.order, ...more });
  return (
    <Stack className={panel.foot} gap="xs" px="md" py="sm">
      <Group gap="xs">
        <ActionButton variant="filled" onClick={() => go()} needs="connection">
          {edits.isEdited ? 'Release edited' : 'Release'}
        </ActionButton>
        <ActionButton
          onClick={() => go({ step: true })}
          title="Release, and hold the next request"
          needs="connection"
        >
          Step
        </ActionButton>
        {at === 'request' && (
          <ActionButton
            onClick={() => go({ hold_response: true })}
            title="Release, and hold the response"
            needs="connection"
          >
            Evaluate
          </ActionButton>
        )}
        <ActionButton
          onClick={() => void drop(number)}
          title="Close the connection"
          needs="connection"
        >
          Drop
        </ActionButton>
      </Group>
      <AnswerWith held={held} />
    </Stack>
  );
}

type Edits = ReturnType<typeof useEdits>;

function HeldContent({ held, gone }: { readonly held: HeldDetail; readonly gone: boolean }) {
  const edits = useEdits(held);
  const { now, change } = edits;
  const isRequest = held.at === 'request';
  const { forecast, problem } = useForecast(held, edits.requestEdits);
  return (
    <>
      <Stack flex="1" mih={0} gap="md" px="md" py="sm" style={{ overflow: 'auto' }}>
        {gone && (
          <Alert color="yellow" flex="none">
            The client has closed the connection. It gets no response, but a released request is
            still evaluated.
          </Alert>
        )}
        {held.consequence !== null && <Alert flex="none">{held.consequence}</Alert>}
        <ForecastLine held={held} forecast={forecast} problem={problem} />
        {!isRequest && (
          <TextInput
            label="Status"
            w={90}
            inputMode="numeric"
            value={now.status}
            onChange={({ currentTarget: { value } }) => change({ status: value })}
          />
        )}
        <EditRows
          title={isRequest ? 'Fields of the request' : 'Members of the response'}
          what={isRequest ? 'field' : 'member'}
          rows={now.fields}
          onChange={(fields) => change({ fields })}
        />
        {held.id_token_claims !== null && (
          <EditRows
            title="Claims of the ID token"
            what="claim"
            rows={now.claims}
            onChange={(claims) => change({ claims })}
          />
        )}
        {!isRequest && (
          <EditRows
            title="Headers to replace or add"
            what="header"
            rows={now.headers}
            onChange={(headers) => change({ headers })}
          />
        )}
        {forecast !== undefined && (forecast !== null || !isRequest) && (
          <WhyTab exchange={foreseen(held, forecast)} />
        )}
      </Stack>
      <Decisions held={held} edits={edits} />
    </>
  );
}

interface HeldPanelProps {
  readonly held: HeldRow;
  readonly close: ReactNode;
}

export function HeldPanel({
  held: { number, at, method, path, ends_ms, client_gone },
  close,
}: HeldPanelProps) {
  const read = useCallback(
    (signal: AbortSignal) => control.holds.get({ number }, { signal }),
    [number],
  );
  const now = useForecastRevision();
  const revision = at === 'request' ? now : '';
  const { known, problem, retry } = useLoaded(read, revision, `${number} ${at}`);
  return (
    <>
      <PanelHead
        title={`${method} ${withoutQuery(path)}`}
        note={
          <span>
            held {at} · <SecondsLeft ends_ms={ends_ms} />
          </span>
        }
      >
        {close}
      </PanelHead>
      {problem !== null && known === null ? (
        <LoadFailed what="held exchange" problem={problem} retry={retry} />
      ) : known === null ? (
        <Loading>Loading…</Loading>
      ) : (
        <HeldContent key={`${number} ${known.at}`} held={known} gone={client_gone} />
      )}
    </>
  );
}
