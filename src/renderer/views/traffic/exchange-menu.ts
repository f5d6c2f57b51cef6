// The context menu of an exchange's row, with the same actions as the buttons of its panel.

import type { ExchangeSummary } from '../../../control/schemas.ts';
import type { RowAction, RowMenu } from '../../ui/grid/row-menu.tsx';
import {
  copyLink,
  copyWithSecrets,
  editInRequests,
  openExchange,
  resend,
  showLineage,
  togglePin,
} from './traffic-actions.ts';
import { traffic } from './traffic-store.ts';

/** Less common actions, which the panel puts into a menu of their own. */
export function furtherActions(exchange: ExchangeSummary): readonly RowAction[] {
  const { number, lineage_id } = exchange;
  const pinned = traffic.getState().pinned.some((one) => one.number === number);
  const lineage: RowAction[] =
    lineage_id === null
      ? []
      : [
          {
            title: 'Show its lineage as a sequence',
            needs: 'connection',
            run: () => showLineage(lineage_id),
          },
        ];
  return [
    { title: 'Edit in Requests', needs: 'connection', run: () => editInRequests(number) },
    {
      title: 'Copy as curl, with secrets',
      needs: 'connection',
      run: () => copyWithSecrets(number),
    },
    { title: 'Copy link', run: () => copyLink(number) },
    { title: pinned ? 'Unpin' : 'Pin to top', run: () => togglePin(exchange) },
    ...lineage,
  ];
}

export function exchangeMenu(exchange: ExchangeSummary): Pick<RowMenu, 'label' | 'actions'> {
  const { number } = exchange;
  return {
    label: `Exchange ${number}`,
    actions: [
      { title: 'Open', run: () => openExchange(number, false) },
      { title: 'Resend', needs: 'server', run: () => resend(number) },
      ...furtherActions(exchange),
    ],
  };
}
