// The workspace as a file, as it is now: secrets and keys with it, since it is to be used again.

import { attempt } from './sandbox.ts';
import { control } from '../connection/control.ts';
import { saveFile } from '../ui/save-file.ts';

export const exportWorkspace = (): Promise<boolean> =>
  attempt('The workspace was not exported.', async () => {
    const workspace = await control.workspace.get();
    const name = workspace.name.replace(/[^\w -]+/g, '-').trim() || 'workspace';
    saveFile([`${JSON.stringify(workspace, null, 2)}\n`], `${name}.json`);
  });
