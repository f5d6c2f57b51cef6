// By which mode the answer to an authorization request travels: by a redirect, by a form, or as a message from a
// page in a frame to the page of the app that embeds it (behaviour 7.17).

import { OAuthError } from '../checks/errors.ts';
import type { WithParameters } from '../model/request.ts';
import { valueOf } from '../model/request.ts';
import type { Evaluation } from '../checks/trace.ts';
import { pass } from '../checks/trace.ts';

/** The answer is posted to the window that embeds or opened ours, never to the redirect URI itself. */
const MESSAGE_MODES = ['web_message', 'okta_post_message'] as const;
export type MessageMode = (typeof MESSAGE_MODES)[number];

export const RESPONSE_MODES = ['query', 'fragment', 'form_post', ...MESSAGE_MODES] as const;
export type ResponseMode = (typeof RESPONSE_MODES)[number];

const isMessageMode = (mode: string): mode is MessageMode =>
  (MESSAGE_MODES as readonly string[]).includes(mode);

/** What `frame-ancestors` can name: no wildcard, nothing that ends a directive, no IPv6 address. */
const NAMEABLE_ORIGIN = /^https?:\/\/[\w.-]+(?::\d{1,5})?$/;

/** The origin of a redirect URI, to which alone its message may go; null when it has none that CSP can name. */
export function messageOrigin(redirect_uri: string): string | null {
  const origin = URL.canParse(redirect_uri) ? new URL(redirect_uri).origin : 'null';
  return NAMEABLE_ORIGIN.test(origin) ? origin : null;
}

const isSilent = (request: WithParameters) => valueOf(request, 'prompt') === 'none';

/** The mode that was asked for, also for a refusal; `query` where that one cannot carry an answer. */
export function responseModeOf(request: WithParameters, redirect_uri: string): ResponseMode {
  const asked = valueOf(request, 'response_mode');
  const mode = RESPONSE_MODES.find((known) => known === asked) ?? 'query';
  const carries = !isMessageMode(mode) || (isSilent(request) && messageOrigin(redirect_uri));
  return carries ? mode : 'query';
}

/** @throws OAuthError when the mode is unknown, or cannot carry the answer to this request */
export function checkResponseMode(
  request: WithParameters,
  redirect_uri: string,
  evaluation: Evaluation,
): void {
  const mode = valueOf(request, 'response_mode') ?? 'query';
  if (!(RESPONSE_MODES as readonly string[]).includes(mode)) {
    const expected = RESPONSE_MODES.join(', ');
    throw new OAuthError('response_mode_unsupported', { expected, got: mode.slice(0, 100) });
  }
  if (isMessageMode(mode)) {
    if (!isSilent(request)) throw new OAuthError('message_mode_not_silent', { got: mode });
    if (messageOrigin(redirect_uri) === null) {
      throw new OAuthError('message_mode_without_origin', { got: redirect_uri });
    }
  }
  pass(evaluation, 'response_mode', { got: mode });
}
