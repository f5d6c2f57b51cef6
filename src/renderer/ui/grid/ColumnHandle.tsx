import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { LEAST_WIDTH, MOST_WIDTH, setColumnWidth, useColumnWidths } from './column-widths.ts';
import classes from './ColumnHandle.module.css';

const STEP_PX = 16;

const columnOf = (handle: HTMLElement): HTMLElement => handle.parentElement ?? handle;
const shownWidth = (handle: HTMLElement): number => columnOf(handle).getBoundingClientRect().width;

/** The handles of a table are one stop for Tab: up and down lead from one to the next. */
function handlesBeside(handle: HTMLElement): HTMLElement[] {
  const head = columnOf(handle).parentElement;
  const all = head?.querySelectorAll<HTMLElement>('[data-column-handle]') ?? [];
  return [...all].filter((one) => one.offsetParent !== null);
}

function focusNext(handle: HTMLElement, by: number): void {
  const all = handlesBeside(handle);
  const next = all[all.indexOf(handle) + by];
  if (next === undefined) return;
  all.forEach((one) => (one.tabIndex = one === next ? 0 : -1));
  next.focus();
}

interface ColumnHandleProps {
  readonly table: string;
  readonly column: string;
  readonly title: string;
  /** The one that Tab comes to. */
  readonly first: boolean;
}

/**
 * The right edge of a column's heading: dragged, or moved with the arrow keys; a double click, or
 * Delete, gives the column back to the style sheet. Stands in an element with a position.
 */
export function ColumnHandle({ table, column, title, first }: ColumnHandleProps) {
  const width = useColumnWidths(table)[column];
  const grip = useRef({ x: 0, width: 0 });

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = { x: event.clientX, width: shownWidth(event.currentTarget) };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    setColumnWidth(table, column, grip.current.width + event.clientX - grip.current.x);
  };
  const reset = () => setColumnWidth(table, column, null);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const handle = event.currentTarget;
    const widen = (by: number) => setColumnWidth(table, column, shownWidth(handle) + by);
    const keys: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => widen(-STEP_PX),
      ArrowRight: () => widen(STEP_PX),
      ArrowUp: () => focusNext(handle, -1),
      ArrowDown: () => focusNext(handle, 1),
      Delete: reset,
      Backspace: reset,
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${title}`}
      aria-valuemin={LEAST_WIDTH}
      aria-valuemax={MOST_WIDTH}
      aria-valuenow={width ?? LEAST_WIDTH}
      aria-valuetext={width === undefined ? 'automatic' : `${width} pixels`}
      title="Drag to resize, double-click to reset"
      tabIndex={first ? 0 : -1}
      data-column-handle
      className={classes.handle}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onMouseDown={(event) => event.stopPropagation()}
      onDoubleClick={reset}
      onKeyDown={onKeyDown}
    />
  );
}
