// What axe finds on a page that keeps people from using it.

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const SEVERE = ['serious', 'critical'];

/** Each with its rule and the elements it is about. */
export async function severeFindings(page: Page): Promise<string[]> {
  // Legacy mode opens no second page for what frames say; nothing of ours has frames.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze();
  return violations
    .filter(({ impact }) => SEVERE.includes(impact ?? ''))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
