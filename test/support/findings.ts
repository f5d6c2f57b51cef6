// What axe finds on a page.

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What keeps people from using it. */
const SEVERE = ['serious', 'critical'];

async function violationsOf(page: Page) {
  // Legacy mode opens no second page for what frames say; nothing of ours has frames.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze();
  return violations.map(({ id, impact, nodes }) => ({
    impact: impact ?? '',
    told: `${id}: ${nodes.map(({ html }) => html).join(' | ')}`,
  }));
}

/** Everything, each with its rule and the elements it is about. */
export const allFindings = async (page: Page): Promise<string[]> =>
  (await violationsOf(page)).map(({ told }) => told);

/** Those that are serious or critical. */
export const severeFindings = async (page: Page): Promise<string[]> =>
  (await violationsOf(page))
    .filter(({ impact }) => SEVERE.includes(impact))
    .map(({ told }) => told);
