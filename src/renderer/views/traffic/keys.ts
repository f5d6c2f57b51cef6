// The keys of the list, for the sheet that tells them.

export interface KeyHint {
  readonly keys: readonly string[];
  readonly what: string;
}

export const TRAFFIC_KEYS: readonly KeyHint[] = [
  { keys: ['↑', '↓', 'J', 'K'], what: 'Next and previous exchange' },
  { keys: ['Enter'], what: 'Open it; again: go into it' },
  { keys: ['Esc'], what: 'Close it, then end the selection' },
  { keys: ['Home', 'End'], what: 'Newest and oldest' },
  { keys: ['Space'], what: 'Select it, or not' },
  { keys: ['Shift ↑', 'Shift ↓'], what: 'Select a range' },
  { keys: ['T'], what: 'Pin it on top, or not' },
  { keys: ['P'], what: 'Pause the list, or follow the newest' },
  { keys: ['/'], what: 'Filter' },
];
