import { ActionIcon, Button, PasswordInput, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { isBasic } from '../../../../oauth/client-authentication.ts';
import { useRowFocus } from '../../../ui/use-row-focus.ts';
import { BLANK_ROW, type FieldRow } from '../field-rows.ts';
import type { Problems } from '../request-text.ts';
import classes from './Composer.module.css';

interface FieldRowsProps {
  readonly rows: readonly FieldRow[];
  readonly onChange: (rows: readonly FieldRow[]) => void;
  /** What one of them is: "field", "header". */
  readonly kind: string;
  /** Values may be JSON that is no string. */
  readonly literals?: boolean;
  /** By place. */
  readonly problemAt?: (index: number) => Problems[string] | undefined;
}

const isSecret = ({ name, value }: FieldRow): boolean =>
  ['client_secret', 'password'].includes(name) ||
  (name.toLowerCase() === 'authorization' && isBasic(value));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface RowProps {
  readonly row: FieldRow;
  readonly index: number;
  readonly kind: string;
  readonly literals: boolean;
  readonly problem: string | undefined;
  readonly onRow: (row: FieldRow) => void;
  readonly onRemove: () => void;
}

function Value({ row, index, kind, literals, onRow }: RowProps) {
  const props = {
    'aria-label': `Value of ${row.name === '' ? `${kind} ${index + 1}` : row.name}`,
    value: row.value,
    error: literals && row.literal && !isJson(row.value) ? 'Not valid JSON; sent as typed.' : null,
    spellCheck: false,
    autoComplete: 'off',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onRow({ ...row, value, source: null }),
  };
  if (!isSecret(row)) return <TextInput {...props} classNames={{ input: classes.mono }} />;
  return (
    <PasswordInput
      {...props}
      classNames={{ innerInput: classes.mono }}
      visibilityToggleButtonProps={{ 'aria-label': `Reveal ${row.name}`, tabIndex: 0 }}
    />
  );
}

function Row(props: RowProps) {
  const { row, index, kind, literals, problem, onRow, onRemove } = props;
  const name = row.name === '' ? `${kind} ${index + 1}` : row.name;
  return (
    <li className={classes.row}>
      <TextInput
        aria-label={`Name of ${kind} ${index + 1}`}
        value={row.name}
        error={problem !== undefined}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: classes.mono }}
        onChange={({ currentTarget: { value } }) => onRow({ ...row, name: value, source: null })}
      />
      <Value {...props} />
      <span className={classes.ends}>
        {literals && (
          <Tooltip label={row.literal ? 'Raw JSON' : 'A string'}>
            <ActionIcon
              className={classes.literal}
              aria-label={`${name} is raw JSON, not a string`}
              aria-pressed={row.literal}
              onClick={() => onRow({ ...row, literal: !row.literal, source: null })}
            >
              {row.literal ? '{ }' : '“ ”'}
            </ActionIcon>
          </Tooltip>
        )}
        <Tooltip label="Remove">
          <ActionIcon aria-label={`Remove ${name}`} onClick={onRemove}>
            <IconTrash size="1.1em" />
          </ActionIcon>
        </Tooltip>
      </span>
      {problem !== undefined && <p className={classes.problem}>{problem}</p>}
    </li>
  );
}

/** Names and values, one row each. */
export function FieldRows({ rows, onChange, kind, literals = false, problemAt }: FieldRowsProps) {
  const { list, add, focusOn } = useRowFocus<HTMLUListElement>(rows.length);
  return (
    <>
      {rows.length > 0 && (
        <ul ref={list} className={classes.rows} aria-label={`${kind}s`}>
          {rows.map((row, index) => (
            <Row
              // A row is known by its place: names repeat, and change as one types.
              key={index}
              row={row}
              index={index}
              kind={kind}
              literals={literals}
              problem={problemAt?.(index)}
              onRow={(changed) => onChange(rows.with(index, changed))}
              onRemove={() => {
                focusOn(index);
                onChange(rows.toSpliced(index, 1));
              }}
            />
          ))}
        </ul>
      )}
      <Button
        ref={add}
        className={classes.add}
        leftSection={<IconPlus size="1.1em" aria-hidden="true" />}
        onClick={() => {
          focusOn(rows.length);
          onChange([...rows, BLANK_ROW]);
        }}
      >
        {`Add ${kind}`}
      </Button>
    </>
  );
}
