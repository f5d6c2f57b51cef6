// docs/reference/control-api.md, behaviour 5: the advisories of redundant token requests, over REST.

import { describe, expect, it } from 'vitest';
import type { AdvisoryCounts, AdvisoryEntry } from '../../src/control/schemas.ts';
import { createAdvisoryLog } from '../../src/engine/exchanges/advisory-log.ts';
import type { CapturedExchange } from '../../src/server/capture.ts';
import { createEvaluation } from '../../src/core/checks/trace.ts';
import { refresh } from '../support/form-calls.ts';
import { expectError, type Harness, type Page, START, startSignedIn } from '../support/harness.ts';

/** Signs in at exchange 1, then refreshes redundantly. */
async function overFetching(times: number): Promise<Harness> {
  const { harness, refresh_token } = await startSignedIn();
  for (let count = 0; count < times; count++) {
    harness.machine.now += 1000;
    expect((await refresh(harness, refresh_token)).status).toBe(200);
  }
  return harness;
}

const list = ({ get }: Harness, query = '') =>
  get<Page<AdvisoryEntry> & { clients: AdvisoryCounts[] }>(`/advisories${query}`);

describe('GET /advisories', () => {
  it('behaviour 5.12: returns exchange, client, time and the remaining lifetime of the former token', async () => {
    const harness = await overFetching(1);
    expect(await list(harness)).toEqual({
      items: [
        {
          exchange: 2,
          at: new Date(START + 1000).toISOString(),
          client_id: 'demo-app',
          sent_by: 'app',
          kind: 'over_fetch',
          seconds_left: 86_399,
          text: expect.stringContaining('was valid for another 1 d.') as string,
          section: 'spec 1.4, 8.2',
        },
      ],
      next: null,
      clients: [{ client_id: 'demo-app', over_fetch: 1, repeated_authorization: 0 }],
    });
    const { advisory_notes } = await harness.get<{ advisory_notes: object[] }>('/exchanges/2');
    expect(advisory_notes).toHaveLength(1);
    const [advisory] = (await list(harness)).items;
    expect(advisory).toMatchObject(advisory_notes[0] ?? {});
  });

  it('is newest first, and each page continues the former one', async () => {
    const harness = await overFetching(5);
    const first = await list(harness, '?limit=2');
    expect(first.items.map(({ exchange }) => exchange)).toEqual([6, 5]);
    await harness.signIn();
    const second = await list(harness, `?limit=2&after=${first.next}`);
    expect(second.items.map(({ exchange }) => exchange)).toEqual([4, 3]);
    const last = await list(harness, `?limit=2&after=${second.next}`);
    expect(last.items.map(({ exchange }) => exchange)).toEqual([2]);
    expect(last.next).toBeNull();
    expectError(await harness.api('GET', '/advisories?after=x'), 422, 'invalid', 'after');
    expectError(await harness.api('GET', '/advisories?limit=0'), 422, 'invalid', 'limit');
  });

  it('can be filtered by client, including the counts', async () => {
    const harness = await overFetching(1);
    await harness.signIn();
    const own = await list(harness, '?client_id=demo-app');
    expect(own.items.map(({ kind }) => kind)).toEqual(['repeated_authorization', 'over_fetch']);
    expect(own.clients).toEqual([
      { client_id: 'demo-app', over_fetch: 1, repeated_authorization: 1 },
    ]);
    expect(await list(harness, '?client_id=other')).toEqual({ items: [], next: null, clients: [] });
  });

  it('keeps advisories without their captured exchange until a reset', async () => {
    const harness = await overFetching(3);
    await harness.patch('/settings', { capture: { max_exchanges: 1 } });
    await harness.api('POST', '/requests', { path: '/livez', method: 'GET' });
    expect((await harness.api('GET', '/exchanges/2')).status).toBe(404);
    expect((await list(harness)).items).toHaveLength(3);
    await harness.post('/reset');
    expect(await list(harness)).toEqual({ items: [], next: null, clients: [] });
  });
});

describe('the stored advisories', () => {
  const advised = (number: number, client_id: string): CapturedExchange => {
    const evaluation = createEvaluation(number);
    evaluation.client_id = client_id;
    evaluation.advisories = [{ kind: 'over_fetch', seconds_left: 100 }];
    return { number, at: START, sent_by: 'app', evaluation } as unknown as CapturedExchange;
  };

  it('are bounded: the newest 1,000 advisories, and counts for 8,000 clients', () => {
    const log = createAdvisoryLog(() => undefined);
    for (let number = 1; number <= 1001; number++) log.exchange(advised(number, 'demo-app'));
    expect(log.newestFirst()).toHaveLength(1000);
    expect(log.newestFirst().at(-1)?.exchange).toBe(2);
    expect(log.counts()).toEqual([
      { client_id: 'demo-app', over_fetch: 1001, repeated_authorization: 0 },
    ]);
    for (let number = 1; number <= 10_000; number++) log.exchange(advised(number, `c${number}`));
    expect(log.counts()).toHaveLength(8000);
    expect(log.counts().map(({ client_id }) => client_id)).not.toContain('demo-app');
  });
});
