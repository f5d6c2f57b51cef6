// Who sent an exchange, in words.

import type { Sender } from '../../../control/schemas.ts';

export const SENDER_NAMES: Record<Sender, string> = {
  app: 'App',
  workbench: 'Workbench',
  command_line: 'Command line',
  scenario: 'Scenario',
};

export const SENDER_SENTENCES: Record<Sender, string> = {
  app: 'Sent by the app under test',
  workbench: 'Sent by the workbench',
  command_line: 'Sent by a grantbench command',
  scenario: 'Sent by a scenario or a saved flow',
};
