// What a batch of the feed says has changed; without schemas, for who starts fast.

export const TOPICS = [
  'clients',
  'users',
  'audiences',
  'settings',
  'server',
  'clock',
  'tokens',
  'devices',
  'exchanges',
  'throttle',
  'keys',
  'faults',
  'advisories',
  'saved_flows',
  'saved_requests',
] as const;

export type Topic = (typeof TOPICS)[number];
