// Computes the positions in the diagram, in pixels. Every label has its own row and is wrapped or cut to the available
// width, so that texts never overlap. Pure: a port measures text.

import { shortened } from '../../words.ts';
import { LANES, type Message, type NoteTone } from './message.ts';

export interface TextStyle {
  size: number;
  weight: number;
}

/** The width of a text in pixels. */
export type Measure = (text: string, style: TextStyle) => number;

const LABEL: TextStyle = { size: 12, weight: 400 };
/** The head of a lane, or the reply of a rejection. */
export const STRONG: TextStyle = { size: 12, weight: 600 };
const SMALL: TextStyle = { size: 11, weight: 400 };

interface PlacedText {
  x: number;
  y: number;
  text: string;
  tone: NoteTone | 'text' | 'faint';
  style: TextStyle;
}

export interface PlacedArrow {
  from: number;
  to: number;
  y: number;
  tone: PlacedText['tone'];
  dashed: boolean;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PlacedMessage {
  message: Message;
  /** The whole row, across the diagram. */
  ground: Box;
  /** The box around a rejection; null for an accepted request. */
  box: Box | null;
  time: { x: number; y: number };
  texts: readonly PlacedText[];
  arrows: readonly PlacedArrow[];
}

export interface Lanes {
  width: number;
  box_width: number;
  xs: readonly [number, number, number, number];
  /** Two lines if a name does not fit its box. */
  names: readonly (readonly string[])[];
  /** Whether the names are small, because one does not fit. */
  small: boolean;
}

const TIME_X = 8;
const TEXT_LEFT = 68;
const EDGE = 10;
const FIRST_LANE = 76;
const LANE_GAP = 6;
const MOST_BOX = 124;
const BOX_PAD = 8;
const NOTE_LINES = 3;
/** A label is as wide as the space between its lanes, but at least this wide. */
const LEAST_LABEL = 116;

const ROW = {
  pad: 12,
  label: 12,
  arrow: 9,
  between: 17,
  note_first: 17,
  note: 15,
  after: 10,
  gap: 4,
};

export function laneHeads(width: number, measure: Measure): Lanes {
  const gaps = LANES.length - 1;
  const spacing = (width - EDGE - FIRST_LANE + LANE_GAP / 2) / (gaps + 1 / 2);
  const box_width = Math.min(MOST_BOX, spacing - LANE_GAP);
  const last = width - EDGE - box_width / 2;
  const step = (last - FIRST_LANE) / gaps;
  const fits = (name: string) => measure(name, STRONG) <= box_width - LANE_GAP;
  const names = LANES.map((name) => (fits(name) ? [name] : name.split(' ')));
  const at = (lane: number) => FIRST_LANE + lane * step;
  return { width, box_width, xs: [at(0), at(1), at(2), at(3)], names, small: !LANES.every(fits) };
}

const fit = (text: string, room: number, style: TextStyle, measure: Measure): string =>
  shortened(text, (each) => measure(each, style) <= room);

/** The text in at most NOTE_LINES lines, of which the last may be cut. */
function wrap(text: string, room: number, style: TextStyle, measure: Measure): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && measure(longer, style) > room) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  lines.push(line);
  const kept = lines.slice(0, NOTE_LINES - 1);
  const rest = lines.slice(NOTE_LINES - 1).join(' ');
  return [...kept, ...(rest === '' ? [] : [rest])].map((each) => fit(each, room, style, measure));
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));

interface Span {
  left: number;
  right: number;
}

/** Places rows from top to bottom. Each text is centred on its arrow as far as the edges allow. */
class Rows {
  y: number;
  readonly texts: PlacedText[] = [];
  readonly arrows: PlacedArrow[] = [];
  readonly span: Span;
  readonly #room: Span;
  readonly #middle: number;
  readonly #between: number;
  readonly #measure: Measure;

  constructor(y: number, room: Span, lanes: Span, measure: Measure) {
    this.y = y;
    this.span = { ...lanes };
    this.#room = room;
    this.#middle = (lanes.left + lanes.right) / 2;
    this.#between = Math.max(LEAST_LABEL, lanes.right - lanes.left);
    this.#measure = measure;
  }

  /** Wraps a label to the space between its lanes, so that it never overlaps another. */
  label(words: string, tone: PlacedText['tone'], style: TextStyle): void {
    wrap(words, this.#between, style, this.#measure).forEach((line, index) => {
      if (index > 0) this.y += ROW.note;
      this.#text(line, tone, style);
    });
  }

  #text(words: string, tone: PlacedText['tone'], style: TextStyle): void {
    const text = fit(words, this.#room.right - this.#room.left, style, this.#measure);
    const half = this.#measure(text, style) / 2;
    const x = clamp(this.#middle, this.#room.left + half, this.#room.right - half);
    this.texts.push({ x, y: this.y, text, tone, style });
    this.span.left = Math.min(this.span.left, x - half);
    this.span.right = Math.max(this.span.right, x + half);
  }

  notes(words: string, tone: PlacedText['tone']): void {
    const room = this.#room.right - this.#room.left;
    for (const line of wrap(words, room, SMALL, this.#measure)) {
      this.#text(line, tone, SMALL);
      this.y += ROW.note;
    }
  }
}

function placeMessage(
  message: Message,
  top: number,
  { xs, width }: Lanes,
  measure: Measure,
): PlacedMessage {
  const [from, to] = [xs[message.from], xs[message.to]];
  const lanes = { left: Math.min(from, to), right: Math.max(from, to) };
  const room = { left: TEXT_LEFT + BOX_PAD, right: width - EDGE - BOX_PAD };
  const rows = new Rows(top + ROW.pad + ROW.label, room, lanes, measure);
  const time = { x: TIME_X, y: rows.y };
  rows.label(message.request, 'text', LABEL);
  rows.y += ROW.arrow;
  rows.arrows.push({
    from,
    to,
    y: rows.y,
    tone: message.rejected ? 'text' : 'muted',
    dashed: false,
  });
  rows.y += ROW.between;
  rows.label(message.reply, message.tone, message.rejected ? STRONG : LABEL);
  rows.y += ROW.arrow;
  rows.arrows.push({ from: to, to: from, y: rows.y, tone: message.tone, dashed: true });
  rows.y += ROW.note_first;
  for (const note of message.notes) rows.notes(note.text, note.tone);
  const bottom = message.notes.length > 0 ? rows.y - ROW.note : rows.y - ROW.note_first;
  const height = bottom + ROW.after - top;
  const x = Math.max(TEXT_LEFT, rows.span.left - BOX_PAD);
  const right = Math.min(width - EDGE / 2, rows.span.right + BOX_PAD);
  const inner = { x, y: top + ROW.gap, width: right - x, height: height - ROW.gap };
  const ground = { x: 2, y: top + ROW.gap / 2, width: width - 4, height: height + ROW.gap / 2 };
  const { texts, arrows } = rows;
  return { message, ground, box: message.rejected ? inner : null, time, texts, arrows };
}

/** The placed messages, and the top of the next one. */
export function placeMessages(messages: readonly Message[], lanes: Lanes, measure: Measure) {
  let end = 0;
  const placed = messages.map((message) => {
    const one = placeMessage(message, end, lanes, measure);
    end = one.ground.y + one.ground.height + ROW.gap;
    return one;
  });
  return { placed, end };
}
