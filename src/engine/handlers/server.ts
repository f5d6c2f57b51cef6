// The running service: server, clock, reset and the feed.

import { conflict, controlError, invalidField } from './control-error.ts';
import { MAX_VIEWERS } from '../feed/viewers.ts';
import type { EngineParts } from '../parts.ts';
import { LATEST_TIME } from '../../core/records/bounds.ts';
import type { ClockState } from '../../control/schemas.ts';
import type { Clock } from '../../core/model/clock.ts';
import { offsetSeconds, timeText } from '../format.ts';
import { os } from './implementer.ts';
import { readable } from './workspace.ts';

export function serverHandlers({ server, start, stop }: EngineParts) {
  return {
    get: os.server.get.handler(server),
    start: os.server.start.handler(async ({ input }) => {
      try {
        return await start(input);
      } catch (error) {
        const { listenProblem } = await import('../listen-problem.ts');
        const { problem, field } = listenProblem(error, input.host ?? server().host);
        const { state, issuer } = server();
        const still = state === 'running' ? ` The server is still at ${issuer}.` : '';
        throw conflict(`${problem.message}${still}`, field);
      }
    }),
    stop: os.server.stop.handler(async () => {
      await stop();
      return server();
    }),
  };
}

function clockView(clock: Clock): ClockState {
  return {
    now: timeText(clock.now()),
    frozen: clock.isFrozen(),
    offset_seconds: offsetSeconds(clock.offset()),
  };
}

export function clockHandlers({ service, feed }: EngineParts) {
  const { clock, stores } = service.ports;
  return {
    get: os.clock.get.handler(() => clockView(clock)),
    update: os.clock.update.handler(({ input }) => {
      const { advance_seconds, frozen, now } = input;
      // Expired credentials remain expired, even if the clock is set back.
      const before = clock.now();
      stores.expireAll(before);
      service.userAuthorization.expireAll(before);
      service.devices.expireAll(before);
      if (advance_seconds !== undefined) {
        const ms = advance_seconds * 1000;
        if (clock.now() + ms >= LATEST_TIME) {
          throw invalidField('advance_seconds', 'must result in a time before the year 9900');
        }
        clock.advance(ms);
      } else if (now !== undefined) clock.set(Date.parse(now));
      else if (frozen === undefined) clock.reset();
      else if (frozen) clock.freeze();
      else clock.run();
      if (clock.now() < before) stores.denyEnded(clock.now());
      feed.changed('clock', 'tokens', 'devices', 'throttle');
      return clockView(clock);
    }),
  };
}

export function resetHandler({ service, workspace, reset }: EngineParts) {
  return os.reset.handler(async ({ input }) => {
    if (input.workspace) await readable(workspace.reload);
    reset();
    return { reset_at: timeText(service.ports.clock.now()) };
  });
}

/** @param follow called with the connection that follows the feed */
export function eventsHandler({ feed }: EngineParts, follow: (connection: AbortSignal) => void) {
  return os.events.handler(({ signal, context: { connection } }) => {
    if (!feed.hasRoom()) {
      throw controlError(
        'too_many',
        `too many subscribers: ${MAX_VIEWERS} already follow the event feed`,
      );
    }
    if (connection !== undefined) follow(connection);
    return feed.subscribe(signal);
  });
}
