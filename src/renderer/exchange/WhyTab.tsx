import type { ReactNode } from 'react';
import type { Exchange } from '../../control/schemas.ts';
import { pluralize } from '../ui/short-forms.ts';
import { CauseBox } from './CauseBox.tsx';
import { FaultBox } from './FaultBox.tsx';
import { Notes } from './Notes.tsx';
import { TraceRow } from './TraceRow.tsx';
import classes from './Why.module.css';

function headline(exchange: Exchange): string {
  const passed = exchange.trace.filter(({ verdict }) => verdict === 'passed').length;
  if (exchange.trace.length === 0) {
    if (exchange.fault !== null) return 'The request was not validated, so there is no trace.';
    return exchange.why === null ? 'This endpoint runs no checks, so there is no trace.' : '';
  }
  const tolerated = exchange.trace.filter((check) => check.tolerated).length;
  const failed = exchange.trace.some(({ verdict }) => verdict === 'failed');
  return failed
    ? `${pluralize(passed, 'check')} passed before one failed`
    : `All ${pluralize(passed, 'check')} passed${tolerated === 0 ? '' : `, ${tolerated} only tolerated`}`;
}

interface WhyTabProps {
  readonly exchange: Exchange;
  /** Shown before the cause. */
  readonly lead?: ReactNode;
}

/** Explains the response: the cause, then every check in the order of evaluation. */
export function WhyTab({ exchange, lead }: WhyTabProps) {
  const { trace, why } = exchange;
  return (
    <div className={classes.why}>
      {lead}
      <FaultBox exchange={exchange} />
      <CauseBox exchange={exchange} />
      <Notes exchange={exchange} />
      <p className={classes.headline}>
        {headline(exchange)}
        {exchange.profile !== null && trace.length > 0 && (
          <span> · profile {exchange.profile}</span>
        )}
      </p>
      {trace.length > 0 && (
        <ol className={classes.trace} aria-label="Checks, in the order of evaluation">
          {trace.map((check) => (
            <TraceRow
              key={check.id}
              check={check}
              differs_at={check.id === why?.check ? why.differs_at : null}
            />
          ))}
        </ol>
      )}
    </div>
  );
}
