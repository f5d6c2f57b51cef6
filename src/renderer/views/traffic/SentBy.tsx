import { IconAppWindow, IconFlask, IconListCheck, IconTerminal2 } from '@tabler/icons-react';
import type { Sender } from '../../../control/schemas.ts';
import { SENDER_SHORT } from '../../../control/names.ts';
import classes from './Table.module.css';

const ICONS: Record<Sender, typeof IconFlask> = {
  app: IconAppWindow,
  workbench: IconFlask,
  command_line: IconTerminal2,
  scenario: IconListCheck,
};

/** Who sent an exchange; in narrow lists the icon alone is seen. */
export function SentBy({ sender }: { readonly sender: Sender }) {
  const Icon = ICONS[sender];
  return (
    <>
      <Icon aria-hidden="true" />
      <span className={classes.senderName}>{SENDER_SHORT[sender]}</span>
    </>
  );
}
