// Starts the ordered number of sandboxes in one process, one after the other. An additional first one, which loads and
// compiles the code, is not counted.

import { startGrantbench } from '../../../out/node/index.mjs';
import { orders } from './child.mjs';
import { workspaceOf } from './workspace.mjs';

const options = { workspace: workspaceOf(orders) };
await startGrantbench(options);

const megabytes = () => process.memoryUsage.rss() / 1e6;

const memoryBefore = megabytes();
const from = performance.now();
const endpoints = [];
while (endpoints.length < orders.instances) {
  const { tokenEndpoint } = await startGrantbench(options);
  endpoints.push(tokenEndpoint);
}
const ms = performance.now() - from;
console.log(JSON.stringify({ ms, megabytes: megabytes() - memoryBefore, endpoints }));
