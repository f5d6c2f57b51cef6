// What the menu of a credential's row does: the same as the buttons of its pane.

import type { Credential } from '../../../control/schemas.ts';
import { attempt } from '../../actions/sandbox.ts';
import { navigate } from '../../navigation/route.ts';
import type { RowMenu } from '../../ui/grid/row-menu.tsx';
import { isLive, KIND_WORDS } from './credential.ts';
import { readShown, replayShown } from './open-token.ts';
import { copyToken, expireToken, revokeLineage, revokeToken, type Shown } from './token-actions.ts';

/** @param credential as it is now */
export function tokenMenu(credential: Credential): Pick<RowMenu, 'label' | 'actions'> {
  const { id, kind } = credential;
  const ended = !isLive(credential);
  const withShown = (act: (shown: Shown) => Promise<unknown>) => () =>
    attempt(`The action on ${id} failed.`, async () => {
      await act(await readShown(id));
    });
  const replay = async () => {
    if (await navigate('tokens', id)) await withShown(replayShown)();
  };
  return {
    label: `${KIND_WORDS[kind]} ${id}`,
    actions: [
      { title: 'Open', run: () => navigate('tokens', id) },
      { title: 'Copy', needs: 'connection', run: () => copyToken(credential) },
      ...(kind === 'access_token'
        ? []
        : [{ title: 'Replay', needs: 'server', run: replay } as const]),
      {
        title: 'Expire now…',
        needs: 'connection',
        disabled: ended,
        run: withShown(expireToken),
      },
      {
        title: 'Revoke…',
        needs: 'connection',
        disabled: ended,
        danger: true,
        run: withShown(revokeToken),
      },
      {
        title: 'Revoke the lineage…',
        needs: 'connection',
        danger: true,
        run: withShown(({ lineage }) => revokeLineage(lineage)),
      },
    ],
  };
}
