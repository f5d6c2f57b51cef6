// The sides an exchange is shown from.

export const DETAIL_TABS = ['why', 'request', 'response', 'token', 'clock'] as const;
export type DetailTab = (typeof DETAIL_TABS)[number];

export const TAB_NAMES: Record<DetailTab, string> = {
  why: 'Why',
  request: 'Request',
  response: 'Response',
  token: 'Token',
  clock: 'Clock',
};

export const isTab = (value: string | null): value is DetailTab =>
  DETAIL_TABS.some((tab) => tab === value);
