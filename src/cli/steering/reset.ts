// `grantbench reset`: the sandbox as at its start.

import type { Connection } from '../commands/connection.ts';
import { withControl } from '../instance/connect.ts';
import { printJson, remark } from '../terminal/print.ts';

export interface ResetOptions extends Connection {
  readonly workspace?: boolean;
}

export async function reset(options: ResetOptions): Promise<void> {
  const { workspace = false } = options;
  const done = await withControl(options, (control) => control.reset({ workspace }));
  if (options.json) printJson(done);
  else remark(workspace ? 'Reset, the workspace too.' : 'Reset. The workspace stays as it is.');
}
