// The sequence diagram as an SVG text of its own: the same layout as on the page, drawn without React and
// styled by classes that the report's style sheet has.

import {
  HEAD,
  laneHeads,
  placeMessages,
  type Box,
  type Lanes,
  type Measure,
  type PlacedArrow,
  type PlacedMessage,
  type PlacedText,
} from '../sequence/layout.ts';
import type { Message } from '../sequence/message.ts';
import { html, type Html } from './html-text.ts';

const HEAD_HEIGHT = 44;
const HEAD_TOP = 6;
const HEAD_BOX = 30;
const LINE = 12;
const TIP = 6;
const HALF = 4;

const rect = (name: string, { x, y, width, height }: Box, tone: string): Html =>
  html`<rect
    class="${name}"
    data-tone="${tone}"
    x="${x}"
    y="${y}"
    width="${width}"
    height="${height}"
    rx="8"
  />`;

function arrow({ from, to, y, tone, dashed }: PlacedArrow): Html {
  const away = Math.sign(to - from);
  const end = to - away;
  const back = end - away * TIP;
  return html`<path
      class="arrow${dashed ? ' dashed' : ''}"
      data-tone="${tone}"
      d="M${from} ${y}H${end}"
    /><path
      class="arrow"
      data-tone="${tone}"
      d="M${back} ${y - HALF}L${end} ${y}L${back} ${y + HALF}"
    />`;
}

const label = ({ x, y, text, tone, style }: PlacedText): Html =>
  html`<text
    class="label"
    data-tone="${tone}"
    x="${x}"
    y="${y}"
    font-size="${style.size}"
    font-weight="${style.weight}"
    >${text}</text
  >`;

/** Hides the lanes behind a refusal, and colours it. */
const boxOf = ({ box, message: { tone } }: PlacedMessage): Html | null =>
  box === null ? null : html`${rect('veil', box, tone)}${rect('box', box, tone)}`;

const message = (placed: PlacedMessage, time: string): Html =>
  html`<g
    >${boxOf(placed)}<text class="time" x="${placed.time.x}" y="${placed.time.y}">${time}</text
    >${placed.arrows.map(arrow)}${placed.texts.map(label)}</g
  >`;

function head(lanes: Lanes, lane: number): Html {
  const x = lanes.xs[lane] ?? 0;
  const lines = lanes.names[lane] ?? [];
  const first = HEAD_TOP + HEAD_BOX / 2 + (lines.length > 1 ? -2 : HEAD.size / 3);
  const box = { x: x - lanes.box_width / 2, y: HEAD_TOP, width: lanes.box_width, height: HEAD_BOX };
  const names = lines.map(
    (line, index) =>
      html`<text class="head-text" x="${x}" y="${first + index * LINE}">${line}</text>`,
  );
  return html`${rect('head', box, 'muted')}${names}`;
}

/**
 * The diagram of the messages.
 * @param name its accessible name
 * @param timeOf the moment of a message as it is written beside it
 */
export function diagramSvg(
  messages: readonly Message[],
  width: number,
  measure: Measure,
  name: string,
  timeOf: (message: Message) => string,
): Html {
  const lanes = laneHeads(width, measure);
  const { placed, end } = placeMessages(messages, lanes, measure);
  const height = HEAD_HEIGHT + end;
  const lines = lanes.xs.map((x) => `M${x} ${HEAD_HEIGHT - 8}V${height}`).join('');
  return html`<svg
    class="diagram"
    role="img"
    aria-label="${name}"
    viewBox="0 0 ${width} ${height}"
    width="${width}"
    height="${height}"
  >
    <path class="lanes" d="${lines}" />
    ${lanes.xs.map((_, lane) => head(lanes, lane))}
    <g transform="translate(0 ${HEAD_HEIGHT})">
      ${placed.map((one) => message(one, timeOf(one.message)))}
    </g>
  </svg>`;
}
