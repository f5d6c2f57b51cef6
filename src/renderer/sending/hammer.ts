// One request sent many times over real HTTP, at once or at a rate: the runner for the flow's last step,
// the Throttling view and the Requests view. What they show of a run is theirs.

import type { Exchange, SendRequest } from '../../control/schemas.ts';
import { control, problemOf } from '../connection/control.ts';
import { burst, type Pace } from './burst.ts';
import { startedRun, withAnswer, type Run } from './tally.ts';

interface Hammering {
  readonly pace: Pace;
  /** Made once, just before the first is sent. */
  readonly request: () => SendRequest | Promise<SendRequest>;
  /** Called for each that is sent, where no two may be alike. */
  readonly each?: (request: SendRequest) => Promise<SendRequest>;
  /**
   * Called with each answer; false ends the run.
   * @param place which answer it is, from 1
   */
  readonly onAnswer?: (exchange: Exchange, place: number) => boolean;
  /** How far it is, seldom enough to be followed. */
  readonly onProgress: (run: Run) => void;
  /** Ends the run: what is under way is given up. */
  readonly signal: AbortSignal;
}

/** Resolves to the finished run when no request is under way any more; it does not reject. */
export async function hammer(hammering: Hammering): Promise<Run> {
  const { pace, each, onAnswer, onProgress, signal } = hammering;
  let { tally } = startedRun(pace.count);
  let began = performance.now();
  const runAs = (state: Run['state'], message: string | null = null): Run => ({
    goal: pace.count,
    tally,
    state,
    message,
    took_ms: performance.now() - began,
  });
  try {
    const request = await hammering.request();
    began = performance.now();
    await burst({
      pace,
      send: async (over) =>
        control.requests.send(each === undefined ? request : await each(request), { signal: over }),
      onAnswer: (exchange) => {
        tally = withAnswer(tally, exchange);
        return onAnswer?.(exchange, tally.sent) ?? true;
      },
      onProgress: () => onProgress(runAs('running')),
      signal,
    });
    return runAs(signal.aborted ? 'stopped' : 'done');
  } catch (error) {
    return runAs('failed', problemOf(error).message);
  }
}
