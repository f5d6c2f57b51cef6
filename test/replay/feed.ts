// Reads the feed over server-sent events until it contains an exchange. Batches depend on timing, so only their
// combined content is returned.

import { request } from 'node:http';

interface Batch {
  readonly first: number;
  readonly last: number;
  readonly exchanges: readonly { readonly number: number; readonly status: number }[];
}

interface Told {
  readonly status: number;
  readonly content_type: string;
  /** Member names of the batches. */
  readonly members: readonly string[];
  readonly exchanges: readonly string[];
  /** Whether each batch begins where the one before ended. */
  readonly gapless: boolean;
}

export interface Listening {
  /** Reads until the exchange with this number, then disconnects. */
  readonly until: (number: number) => Promise<Told>;
}

/** Resolves when the feed is open. */
export function listen(control_url: string, target: string, token: string): Promise<Listening> {
  const batches: Batch[] = [];
  let look: () => void = () => undefined;
  return new Promise((resolve, reject) => {
    const { port } = new URL(control_url);
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    const outgoing = request({ host: '127.0.0.1', port, path: target, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) {
          const data = /^data: ?(.*)$/m.exec(event)?.[1];
          if (data !== undefined && data !== '') batches.push(JSON.parse(data) as Batch);
        }
        look();
      });
      answer.on('error', () => undefined);
      const reported = () => batches.flatMap(({ exchanges }) => exchanges);
      const until = (number: number) =>
        new Promise<Told>((done) => {
          look = () => {
            if (!reported().some((one) => one.number >= number)) return;
            outgoing.destroy();
            done({
              status: answer.statusCode ?? 0,
              content_type: answer.headers['content-type'] ?? '',
              members: Object.keys(batches[0] ?? {}).sort(),
              exchanges: reported().map((one) => `${one.number}: ${one.status}`),
              gapless: batches.every(
                ({ first }, index) => index === 0 || first === (batches[index - 1]?.last ?? 0) + 1,
              ),
            });
          };
          look();
        });
      resolve({ until });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
