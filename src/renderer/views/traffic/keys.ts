// The keys of the list, for the sheet that tells them.

export interface KeyHint {
  readonly keys: readonly string[];
  readonly what: string;
}

export const TRAFFIC_KEYS: readonly KeyHint[] = [
  { keys: ['↑', '↓', 'J', 'K'], what: 'Next and previous exchange' },
  { keys: ['Enter'], what: 'Open; press again to move into it' },
  { keys: ['Esc'], what: 'Close, then clear the selection' },
  { keys: ['Home', 'End'], what: 'Newest and oldest' },
  { keys: ['Space'], what: 'Select or deselect' },
  { keys: ['Shift ↑', 'Shift ↓'], what: 'Select a range' },
  { keys: ['T'], what: 'Pin to top or unpin' },
  { keys: ['P'], what: 'Pause or resume the list' },
  { keys: ['/'], what: 'Filter' },
];
