// The columns of the list, in order. Narrow lists leave some out; see Table.module.css.

export const COLUMNS = [
  { id: 'number', name: 'No.' },
  { id: 'time', name: 'Time' },
  { id: 'method', name: 'Method' },
  { id: 'path', name: 'Path' },
  { id: 'grant', name: 'Grant' },
  { id: 'client', name: 'Client' },
  { id: 'sender', name: 'By' },
  { id: 'status', name: 'Status' },
  { id: 'cause', name: 'Cause' },
  { id: 'duration', name: 'Duration' },
  { id: 'marks', name: 'Marks' },
] as const;

export type ColumnId = (typeof COLUMNS)[number]['id'];
