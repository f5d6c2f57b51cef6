import { StatusTag } from '../../../ui/StatusTag.tsx';
import classes from './Comparison.module.css';
import { resultOf, type ShownStep } from './comparison.ts';

interface StepNavProps {
  readonly steps: readonly ShownStep[];
  readonly selected: number;
  readonly onSelect: (index: number) => void;
}

/** The steps of all scenarios in their order, each with its result. */
export function StepNav({ steps, selected, onSelect }: StepNavProps) {
  return (
    <nav className={classes.steps} aria-label="Steps of the run">
      {steps.map((step, index) => {
        const { tone, words } = resultOf(step);
        return (
          <div key={index}>
            {step.number === 1 && <h3 className={classes.scenario}>{step.scenario}</h3>}
            <button
              type="button"
              className={classes.step}
              aria-current={index === selected}
              onClick={() => onSelect(index)}
            >
              <span className={classes.title}>
                {step.number}. {step.title}
              </span>
              <StatusTag tone={tone}>{words}</StatusTag>
            </button>
          </div>
        );
      })}
    </nav>
  );
}
