// Check 9: counts the request for its credential and address. This happens before the credential is checked, so that
// guessing is throttled as well (spec 8.1, behaviour 5).

import { durationInWords, pluralize } from '../../words.ts';
import { OAuthError } from '../checks/errors.ts';
import type { CounterKind } from '../throttle/counter-store.ts';
import { limitsFor } from '../throttle/throttle.ts';
import { pass } from '../checks/trace.ts';
import type { GrantContext } from './grants/grant.ts';

/** In base64url: 132 bits of the digest. */
const ID_CHARACTERS = 22;

/** Kinds whose values may equal a credential of another kind, and are counted separately. */
const NAMES: readonly CounterKind[] = ['client', 'username'];

/** @throws OAuthError `too_many_requests` if the limit is exceeded and the mode is `enforce` */
export function countRequest(context: GrantContext, credential: string, kind: CounterKind): void {
  const { evaluation, ports, request, settings, client, throttle } = context;
  const { ip } = request;
  const isName = NAMES.includes(kind);
  const mark = isName ? ` ${kind}` : '';
  const id = ports.sha256(`${credential} ${ip}${mark}`).slice(0, ID_CHARACTERS);
  const describe = () => ({ credential: ports.sha256(credential).slice(0, 10), ip });
  const { client_id } = client;
  const { exchange } = evaluation;
  const key = { id, kind, client_id, exchange, describe };
  const limits = limitsFor(settings.throttle, client);
  const decision = throttle.count(key, limits, ports.clock.now());
  evaluation.throttle = decision;
  if (decision === null) {
    pass(evaluation, 'throttle', { note: 'throttling is off' });
    return;
  }
  ports.emit({ type: 'counter', counter: decision.counter });
  if (decision.exceeded) {
    const { limit, window_seconds, reset_seconds } = decision;
    throw new OAuthError('throttled', {
      field: isName ? kind : 'token',
      expected: `${pluralize(limit, 'request')} in ${durationInWords(window_seconds)}`,
      seconds: reset_seconds,
    });
  }
  pass(evaluation, 'throttle');
}
