// Saving by name from a page: what another page has saved meanwhile is not overwritten without a confirmation.

import { expect, test } from 'vitest';
import type { SavedRequest } from '../../src/control/schemas.ts';
import type { SavedFlow } from '../../src/renderer/saved/saved.ts';
import { startHarness, workspaceFile } from '../support/harness.ts';
import { openPage } from '../support/page.ts';

const AT = '2026-03-01T10:00:00.000Z';

const flow = (step: object): SavedFlow => ({
  saved_at: AT,
  scenario: {
    format: 'grantbench-scenario',
    version: 1,
    name: 'Checkout',
    steps: [step],
  } as SavedFlow['scenario'],
});

const request = (path: string): Omit<SavedRequest, 'name'> => ({
  saved_at: AT,
  template: null,
  client_id: null,
  method: 'GET',
  path,
  headers: [],
  format: 'form',
  body: '',
});

test.each([
  ['flow', '/saved-flows/Checkout', flow({ issue_tokens: {} }), flow({ issue_code: {} })],
  ['request', '/saved-requests/Me', request('/userinfo'), { name: 'Me', ...request('/') }],
])(
  'behaviour 16.1: another page’s %s of the same name is replaced only after a confirmation',
  async (_kind, path, theirs, ours) => {
    const file = await workspaceFile();
    const harness = await startHarness({ engine: { workspace: { file, save: true } } });
    await openPage(harness);
    const { allSaved, save } = await import('../../src/renderer/saved/saved.ts');
    expect((await harness.api('PUT', path, theirs)).status).toBe(200);
    expect(allSaved()).toEqual([]);

    expect(await save(ours, false)).toBe(false);
    expect(await harness.get(path)).toMatchObject(theirs);
    expect(allSaved()).toEqual([]);

    expect(await save(ours, true)).toBe(true);
    expect(await harness.get(path)).toMatchObject(ours);
    expect(allSaved()).toMatchObject([{ place: 'workspace', record: ours }]);
  },
);
