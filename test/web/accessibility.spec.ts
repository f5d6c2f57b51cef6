import { AxeBuilder } from '@axe-core/playwright';
import { VIEWS } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

const SEVERE = ['serious', 'critical'];

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });

    test('no view has a serious finding, neither empty nor filled', async ({ page, bench }) => {
      test.slow();
      const findings = async () => {
        const { violations } = await new AxeBuilder({ page }).analyze();
        return violations
          .filter(({ impact }) => SEVERE.includes(impact ?? ''))
          .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
      };
      const look = async (state: string) => {
        for (const view of VIEWS) {
          await bench.open(view);
          expect.soft(await findings(), `${view}, ${state}`).toEqual([]);
        }
      };
      await look('empty');
      await bench.open('Flow');
      await bench.runAll();
      await bench.run('Hammer until throttled');
      await look('filled');
      await bench.open('Clients');
      await page.getByRole('button', { name: 'Register client' }).click();
      expect.soft(await findings(), 'the client editor').toEqual([]);
    });

    test('the page that asks for a token has none either', async ({ page, ready }) => {
      await page.goto(ready.control.url);
      await expect(page.getByText('Open the address that Grantbench printed')).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.filter(({ impact }) => SEVERE.includes(impact ?? ''))).toEqual([]);
    });
  });
}
