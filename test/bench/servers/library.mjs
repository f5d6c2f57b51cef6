// The product as a library in another process, started like the peers.

import { startGrantbench } from '../../../out/node/index.mjs';
import { announce, orders } from './child.mjs';
import { workspaceOf } from './workspace.mjs';

const grantbench = await startGrantbench({ workspace: workspaceOf(orders) });
const refreshTokens = [];
while (refreshTokens.length < orders.tokens) {
  const { refresh_token } = await grantbench.issueTokens();
  refreshTokens.push(refresh_token);
}
announce(grantbench.tokenEndpoint, refreshTokens);
