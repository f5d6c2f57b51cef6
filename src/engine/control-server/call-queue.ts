// The calls of one connection: a limited number and size of them, begun one after another, and none while
// there is no room for what it will answer. It knows nothing of what a call is.

import { setImmediate } from 'node:timers/promises';

export interface CallQueueOptions<Call> {
  /** Calls under way at the same time, waiting ones included. */
  readonly limit: number;
  /** What they may weigh together; a single call may weigh more. */
  readonly maxWeight: number;
  /** Whether a call may begin now. */
  readonly hasRoom: () => boolean;
  /** Resolves when the call is answered; never rejects. */
  readonly run: (call: Call) => Promise<void>;
}

export interface CallQueue<Call> {
  /** Whether the call was taken: false when there are too many. */
  readonly add: (call: Call, weight: number) => boolean;
  /** Forgets calls that have not begun. */
  readonly drop: (isMeant: (call: Call) => boolean) => void;
  /** Begins what waits; to be called whenever there may be room again. */
  readonly proceed: () => void;
}

export function createCallQueue<Call>(options: CallQueueOptions<Call>): CallQueue<Call> {
  const { limit, maxWeight, hasRoom, run } = options;
  let waiting: { readonly call: Call; readonly weight: number }[] = [];
  let count = 0;
  let weighed = 0;
  let beginning = false;

  const leave = (weight: number) => {
    count -= 1;
    weighed -= weight;
  };
  const begin = async (): Promise<void> => {
    for (;;) {
      const next = hasRoom() ? waiting.shift() : undefined;
      if (next === undefined) {
        // At once: a call that came in between would not be begun.
        beginning = false;
        return;
      }
      const done = run(next.call).then(() => {
        leave(next.weight);
      });
      // What it answers at once is in the buffer before the next one begins; a call that waits for
      // something, as a long poll does, holds up nobody.
      await Promise.race([done, setImmediate()]);
    }
  };
  const proceed = () => {
    if (beginning) return;
    beginning = true;
    void begin();
  };
  return {
    add: (call, weight) => {
      if (count >= limit || (count > 0 && weighed + weight > maxWeight)) return false;
      count += 1;
      weighed += weight;
      waiting.push({ call, weight });
      proceed();
      return true;
    },
    drop: (isMeant) => {
      for (const { call, weight } of waiting) if (isMeant(call)) leave(weight);
      waiting = waiting.filter(({ call }) => !isMeant(call));
    },
    proceed,
  };
}
