import { Switch } from '@mantine/core';
import { useState } from 'react';
import table from '../../../ui/table.module.css';
import classes from './Comparison.module.css';
import { differs, rowsOf, type ComparedRow, type ShownStep } from './comparison.ts';

function Cell({ value }: { readonly value: string | null }) {
  return (
    <td className={classes.value}>
      {value === null ? <span className={table.muted}>absent</span> : value}
    </td>
  );
}

function Row({ row }: { readonly row: ComparedRow }) {
  const isDifferent = differs(row);
  return (
    <tr data-differs={isDifferent || undefined}>
      <th scope="row" className={classes.what}>
        {row.what}
        {isDifferent && <span className={classes.mark}>differs</span>}
      </th>
      <Cell value={row.ours} />
      <Cell value={row.theirs} />
    </tr>
  );
}

interface ValuesProps {
  readonly rows: readonly ComparedRow[];
  /** Whether the first column is what a sandbox answered; otherwise what was expected. */
  readonly ours: boolean;
}

function Values({ rows, ours }: ValuesProps) {
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label="Compared values">
      <table className={`${table.table} ${classes.values}`}>
        <thead>
          <tr>
            <th scope="col">Value</th>
            <th scope="col">{ours ? 'Sandbox' : 'Expected'}</th>
            <th scope="col">Provider</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <Row key={index} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function remarkOn({ verdict, why_skipped, failure }: ShownStep, ours: boolean): string {
  if (verdict === 'skipped') return `Not sent: ${why_skipped ?? 'an earlier step failed'}.`;
  if (failure !== null) return failure.message;
  return ours ? 'The provider answers as the sandbox does.' : 'The answer is as expected.';
}

interface ComparedStepProps {
  readonly step: ShownStep;
  readonly ours: boolean;
}

/** One step: what came of it, and both answers side by side with what differs marked. */
export function ComparedStep({ step, ours }: ComparedStepProps) {
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const rows = rowsOf(step);
  const different = rows.filter(differs);
  const canFilter = different.length > 0 && different.length < rows.length;
  return (
    <section className={classes.answer} aria-label={`${step.number}. ${step.title}`}>
      <div className={classes.head}>
        <div className={classes.words}>
          <p>{remarkOn(step, ours)}</p>
          <small className={classes.place}>{step.place}</small>
        </div>
        {canFilter && (
          <Switch
            label="Only differences"
            checked={onlyDifferent}
            onChange={({ currentTarget: { checked } }) => setOnlyDifferent(checked)}
          />
        )}
      </div>
      {rows.length > 0 && <Values rows={onlyDifferent ? different : rows} ours={ours} />}
    </section>
  );
}
