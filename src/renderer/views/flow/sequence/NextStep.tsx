import type { StepId } from '../flow-steps.ts';
import { STEP_TITLES } from '../step-words.ts';
import { Arrow } from '../../../sequence/Arrow.tsx';
import type { Lanes } from '../../../sequence/layout.ts';
import type { Lane } from '../../../sequence/message.ts';
import classes from '../../../sequence/Sequence.module.css';

const LANES_OF: Record<StepId, readonly [Lane, Lane]> = {
  client: [0, 1],
  code: [0, 1],
  exchange: [0, 2],
  device: [0, 1],
  decide: [0, 1],
  poll: [0, 2],
  password: [0, 2],
  subject: [0, 1],
  swap: [0, 2],
  assertion: [0, 0],
  bearer: [0, 2],
  token: [3, 2],
  refresh: [0, 2],
  api: [0, 3],
  hammer: [0, 2],
};

export const NEXT_HEIGHT = 44;
const TEXT_Y = 20;
const ARROW_Y = 29;

interface NextStepProps {
  readonly step: StepId;
  readonly top: number;
  readonly lanes: Lanes;
}

/** What would come next, faintly. */
export function NextStep({ step, top, lanes }: NextStepProps) {
  const [from, to] = LANES_OF[step];
  const [start, end] = [lanes.xs[from], lanes.xs[to]];
  return (
    <g aria-hidden="true">
      <text
        className={classes.text}
        data-tone="faint"
        x={(start + end) / 2}
        y={top + TEXT_Y}
        fontSize={12}
      >
        {`next: ${STEP_TITLES[step].toLowerCase()}`}
      </text>
      <Arrow from={start} to={end} y={top + ARROW_Y} tone="faint" dashed={false} />
    </g>
  );
}
