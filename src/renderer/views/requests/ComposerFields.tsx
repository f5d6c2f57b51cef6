import {
  ActionIcon,
  Button,
  Group,
  PasswordInput,
  SegmentedControl,
  Text,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core';
import {
  type DraftBody,
  type Problems,
  problemsOf,
  withBodyRows,
  withBodyText,
  withBodyView,
  withFormat,
  withHeaders,
  withQuery,
} from '../../composing/draft.ts';
import { editDraft, useRequests } from './requests-store.ts';
import type { ReactNode } from 'react';
import { jsonOrText } from '../../../json.ts';
import { isBasic } from '../../../oauth/client-authentication.ts';
import { BLANK_ROW, type FieldRow } from '../../composing/field-rows.ts';
import classes from './Requests.module.css';
import { MONO } from '../../ui/field-props.ts';
import { Hint, Problem } from '../../ui/panel.tsx';
import { Rows } from '../../ui/rows.tsx';

const FORMATS = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
] as const;

const VIEWS = [
  { value: 'fields', label: 'Fields' },
  { value: 'raw', label: 'Raw' },
] as const;

const NAMES = { form: 'a form', json: 'a JSON object' } as const;

const show = (view: DraftBody['view']) => editDraft((draft) => withBodyView(draft, view));

function Raw({ body }: { readonly body: DraftBody }) {
  return (
    <>
      <Textarea
        aria-label="Raw body"
        className={classes.raw ?? ''}
        classNames={{ input: classes.text }}
        spellCheck={false}
        value={body.text}
        onChange={({ currentTarget: { value } }) =>
          editDraft((draft) => withBodyText(draft, value))
        }
      />
      {body.rows === null && (
        <Hint role="status">{`This is not ${NAMES[body.format]}; it is sent as is.`}</Hint>
      )}
    </>
  );
}

function Fields({ body }: { readonly body: DraftBody }) {
  if (body.rows === null) {
    return (
      <>
        <Text size="xs" c="var(--warn)">
          {`The body cannot be shown as fields: it is not ${NAMES[body.format]}. It is sent as is.`}
        </Text>
        <Button mr="auto" onClick={() => show('raw')}>
          Edit the raw body
        </Button>
      </>
    );
  }
  return (
    <FieldRows
      rows={body.rows}
      kind="field"
      literals={body.format === 'json'}
      onChange={(rows) => editDraft((draft) => withBodyRows(draft, rows))}
    />
  );
}

export function BodyTab() {
  const body = useRequests((state) => state.draft.body);
  return (
    <>
      <Group justify="space-between" gap="xs">
        <SegmentedControl
          aria-label="Format of the body"
          value={body.format}
          onChange={(format) => editDraft((draft) => withFormat(draft, format))}
          data={[...FORMATS]}
        />
        <SegmentedControl
          aria-label="Show the body as"
          value={body.view}
          onChange={show}
          data={[...VIEWS]}
        />
      </Group>
      {body.view === 'raw' ? <Raw body={body} /> : <Fields body={body} />}
    </>
  );
}

export function QueryTab() {
  const query = useRequests((state) => state.draft.query);
  if (query === null) {
    return (
      <Text size="xs" c="var(--warn)">
        The query cannot be shown as fields: it contains an invalid percent escape. It is sent as
        is; edit it in the path.
      </Text>
    );
  }
  return (
    <FieldRows
      rows={query}
      kind="parameter"
      onChange={(rows) => editDraft((draft) => withQuery(draft, rows))}
    />
  );
}

export function HeadersTab() {
  const draft = useRequests((state) => state.draft);
  const problems = problemsOf(draft);
  return (
    <>
      <FieldRows
        rows={draft.headers}
        kind="header"
        problemAt={(index) => problems[`headers.${index}`]}
        onChange={(rows) => editDraft((former) => withHeaders(former, rows))}
      />
      <Hint>Grantbench sets Host, Content-Length and Connection. You can override Host here.</Hint>
    </>
  );
}

interface FieldRowsProps {
  readonly rows: readonly FieldRow[];
  readonly onChange: (rows: readonly FieldRow[]) => void;
  readonly kind: string;
  /** Whether a value can be raw JSON instead of a string. */
  readonly literals?: boolean;
  readonly problemAt?: (index: number) => Problems[string] | undefined;
}

const isSecret = ({ name, value }: FieldRow): boolean =>
  ['client_secret', 'password'].includes(name) ||
  (name.toLowerCase() === 'authorization' && isBasic(value));

const isJson = (text: string): boolean => jsonOrText(text) !== text;

interface RowProps {
  readonly row: FieldRow;
  readonly index: number;
  readonly kind: string;
  /** Its own name, or its number. */
  readonly name: string;
  readonly literals: boolean;
  readonly problem: string | undefined;
  /** The button that removes it. */
  readonly remove: ReactNode;
  readonly onRow: (row: FieldRow) => void;
}

function Value({ row, name, literals, onRow }: RowProps) {
  const props = {
    flex: 3,
    miw: 0,
    'aria-label': `Value of ${name}`,
    value: row.value,
    error: literals && row.literal && !isJson(row.value) ? 'Not valid JSON; sent as typed.' : null,
    spellCheck: false,
    autoComplete: 'off',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onRow({ ...row, value, source: null }),
  };
  if (!isSecret(row)) return <TextInput {...props} classNames={{ input: 'mono' }} />;
  return (
    <PasswordInput
      {...props}
      classNames={{ innerInput: 'mono' }}
      visibilityToggleButtonProps={{ 'aria-label': `Reveal ${row.name}`, tabIndex: 0 }}
    />
  );
}

function Row(props: RowProps) {
  const { row, index, kind, name, literals, problem, remove, onRow } = props;
  return (
    <>
      <Group gap="var(--s1)" wrap="nowrap" align="flex-start">
        <TextInput
          flex={2}
          miw={96}
          aria-label={`Name of ${kind} ${index + 1}`}
          value={row.name}
          error={problem !== undefined}
          autoComplete="off"
          {...MONO}
          onChange={({ currentTarget: { value } }) => onRow({ ...row, name: value, source: null })}
        />
        <Value {...props} />
        {literals && (
          <Tooltip label={row.literal ? 'Raw JSON' : 'A string'}>
            <ActionIcon
              w="var(--input)"
              mt="var(--s0)"
              fz="var(--fs-xs)"
              ff="monospace"
              aria-label={`${name} is raw JSON, not a string`}
              aria-pressed={row.literal}
              onClick={() => onRow({ ...row, literal: !row.literal, source: null })}
            >
              {row.literal ? '{ }' : '“ ”'}
            </ActionIcon>
          </Tooltip>
        )}
        {remove}
      </Group>
      {problem !== undefined && <Problem>{problem}</Problem>}
    </>
  );
}

export const FieldRows = ({
  rows,
  onChange,
  kind,
  literals = false,
  problemAt,
}: FieldRowsProps) => (
  <Rows
    items={rows}
    what={kind}
    nameOf={(row) => row.name}
    gap="var(--s1)"
    above="var(--s0)"
    onAdd={() => onChange([...rows, BLANK_ROW])}
    onRemove={(index) => onChange(rows.toSpliced(index, 1))}
  >
    {(row, index, remove, name) => (
      <Row
        {...{ row, index, kind, name, literals, remove }}
        problem={problemAt?.(index)}
        onRow={(changed) => onChange(rows.with(index, changed))}
      />
    )}
  </Rows>
);
