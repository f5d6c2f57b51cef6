// What the menu of an exchange's row does: the same as the buttons of its pane.

import type { ExchangeSummary } from '../../../control/schemas.ts';
import type { RowMenu } from '../../ui/grid/row-menu.ts';
import {
  copyLink,
  copyWithSecrets,
  editInRequests,
  openExchange,
  sendAgain,
  togglePin,
} from './traffic-actions.ts';
import { traffic } from './traffic-store.ts';

export function exchangeMenu(exchange: ExchangeSummary): Pick<RowMenu, 'label' | 'actions'> {
  const { number } = exchange;
  const pinned = traffic.getState().pinned.some((one) => one.number === number);
  return {
    label: `Exchange ${number}`,
    actions: [
      { title: 'Open', run: () => openExchange(number, false) },
      { title: 'Send again', run: () => sendAgain(number) },
      { title: 'Edit in Requests', run: () => editInRequests(number) },
      { title: 'Copy as curl, with secrets', run: () => copyWithSecrets(number) },
      { title: 'Copy link', run: () => copyLink(number) },
      { title: pinned ? 'Unpin' : 'Pin to top', run: () => togglePin(exchange) },
    ],
  };
}
