// The columns of the list, in order. Narrow lists leave some out; see Table.module.css.

export const COLUMN_IDS = [
  'number',
  'time',
  'method',
  'path',
  'grant',
  'client',
  'status',
  'cause',
  'duration',
  'marks',
] as const;
export type ColumnId = (typeof COLUMN_IDS)[number];

export const COLUMN_TITLES: Record<ColumnId, string> = {
  number: 'No.',
  time: 'Time',
  method: 'Method',
  path: 'Path',
  grant: 'Grant',
  client: 'Client',
  status: 'Status',
  cause: 'Cause',
  duration: 'Duration',
  marks: 'Marks',
};
