// `grantbench reset`: the sandbox as at its start.

import type { ResetOptions } from '../commands/reset.ts';
import { withControl } from '../instance/connect.ts';
import { printJson, remark } from '../terminal/print.ts';

export async function reset(options: ResetOptions): Promise<void> {
  const { workspace = false } = options;
  const done = await withControl(options, (control) => control.reset({ workspace }));
  if (options.json) printJson(done);
  else remark(workspace ? 'Reset, the workspace too.' : 'Reset. The workspace stays as it is.');
}
