import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { ProviderReport } from '../../../../scenario/reports/read-report.ts';
import classes from './Comparison.module.css';
import { closeComparison } from './comparison-store.ts';
import { isComparison, stepsOf, summaryOf } from './comparison.ts';
import { ComparedStep } from './ComparedStep.tsx';
import { StepNav } from './StepNav.tsx';

interface ComparisonDialogProps {
  readonly name: string;
  readonly report: ProviderReport;
}

/** A run at a provider: its steps, and of the selected one both answers side by side. */
export function ComparisonDialog({ name, report }: ComparisonDialogProps) {
  const steps = stepsOf(report);
  const firstDifferent = steps.findIndex(({ verdict }) => verdict === 'failed');
  const [selected, setSelected] = useState(Math.max(firstDifferent, 0));
  const step = steps[selected];
  return (
    <Modal
      opened
      onClose={closeComparison}
      title={name}
      size="min(72rem, 94vw)"
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ body: classes.body }}
    >
      <p className={classes.summary}>
        <code>{report.against}</code> · {summaryOf(report)}
      </p>
      <div className={classes.panes}>
        <StepNav steps={steps} selected={selected} onSelect={setSelected} />
        {step === undefined ? (
          <p className={classes.none}>The report has no steps.</p>
        ) : (
          <ComparedStep key={selected} step={step} ours={isComparison(report)} />
        )}
      </div>
    </Modal>
  );
}
