import { pluralize } from '../ui/short-forms.ts';
import { HEADS_HEIGHT, LaneHeads } from '../sequence/LaneHeads.tsx';
import { laneHeads, placeMessages, type Measure } from '../sequence/layout.ts';
import type { Message } from '../sequence/message.ts';
import { MessageDrawing } from '../sequence/MessageDrawing.tsx';
import classes from '../sequence/Sequence.module.css';

const WIDTH = 760;
/** Readers may have wider fonts than the ones measured with. */
const WIDER = 1.1;

interface ReportDiagramProps {
  readonly messages: readonly Message[];
  readonly measure: Measure;
}

/** The sequence diagram as one picture, its times in UTC. */
export function ReportDiagram({ messages, measure }: ReportDiagramProps) {
  const wider: Measure = (text, style) => measure(text, style) * WIDER;
  const lanes = laneHeads(WIDTH, wider);
  const { placed, end } = placeMessages(messages, lanes, wider);
  return (
    <svg
      role="img"
      aria-label={`Sequence diagram of ${pluralize(messages.length, 'message')}; each is told in words below.`}
      viewBox={`0 0 ${WIDTH} ${HEADS_HEIGHT + end}`}
    >
      <LaneHeads lanes={lanes} />
      <g transform={`translate(0 ${HEADS_HEIGHT})`}>
        <path className={classes.lanes} d={lanes.xs.map((x) => `M${x} 0V${end}`).join('')} />
        {placed.map((one) => (
          <MessageDrawing key={one.message.id} placed={one} clock={one.message.at.slice(11, 19)} />
        ))}
      </g>
    </svg>
  );
}
