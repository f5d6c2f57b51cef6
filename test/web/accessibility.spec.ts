import { AxeBuilder } from '@axe-core/playwright';
import { VIEWS } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

const SEVERE = ['serious', 'critical'];

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });

    for (const view of VIEWS) {
      test(`${view} has no serious finding, empty and filled`, async ({ page, bench }) => {
        const findings = async () => {
          const { violations } = await new AxeBuilder({ page }).analyze();
          return violations
            .filter(({ impact }) => SEVERE.includes(impact ?? ''))
            .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
        };
        await bench.open(view);
        expect(await findings()).toEqual([]);
        await bench.open('Flow');
        await bench.runAll();
        await bench.open(view);
        expect(await findings()).toEqual([]);
      });
    }
  });
}
