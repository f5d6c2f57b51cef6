// The forms that people are asked with: each can be sent once, for a while, by the browser it was made
// for. A form stands for the request it was made of, which is judged anew when it comes back.

import type { AuthorizationRequest } from './authorization-request.ts';
import { OAuthError } from './errors.ts';
import type { Random, Sha256 } from './ports.ts';
import { encodeRandom } from './tokens.ts';

interface FormFacts {
  /** Digest of what its browser shows. */
  readonly browser: string;
  /** Milliseconds of the sandbox clock. */
  readonly expires_at: number;
}

interface OpenForm extends FormFacts {
  readonly request: AuthorizationRequest;
}

/** One that was sent: when, and in which exchange. The request is let go. */
interface SentForm extends FormFacts {
  readonly at: number;
  readonly exchange: number;
}

export interface ConsentForms {
  /** Makes a form for this browser and answers the token that names it. */
  open(request: AuthorizationRequest, browser: string, now: number): string;
  /**
   * Takes a form that was sent; it cannot be sent again.
   * @throws OAuthError `invalid_request` when it is unknown, another browser's, sent before or expired
   */
  take(token: string, browser: string, now: number, exchange: number): AuthorizationRequest;
  clear(): void;
}

const LIFETIME_SECONDS = 1800;

/** @param capacity forms kept at most; the oldest goes first */
export function createConsentForms(random: Random, sha256: Sha256, capacity = 1000): ConsentForms {
  const forms = new Map<string, OpenForm | SentForm>();

  const makeRoom = () => {
    if (forms.size < capacity) return;
    for (const oldest of forms.keys()) {
      forms.delete(oldest);
      return;
    }
  };
  const find = (token: string, browser: string, now: number): OpenForm => {
    const form = forms.get(token);
    if (form === undefined) throw new OAuthError('form_unknown');
    if (sha256(browser) !== form.browser) throw new OAuthError('form_of_other_browser');
    if (!('request' in form)) {
      const { at, exchange } = form;
      throw new OAuthError('form_sent_before', { at, exchange });
    }
    if (form.expires_at <= now) {
      const seconds = Math.floor((now - form.expires_at) / 1000);
      throw new OAuthError('form_expired', { seconds });
    }
    return form;
  };
  return {
    open: (request, browser, now) => {
      makeRoom();
      const token = encodeRandom(random(32));
      forms.set(token, {
        browser: sha256(browser),
        expires_at: now + LIFETIME_SECONDS * 1000,
        request,
      });
      return token;
    },
    take: (token, browser, now, exchange) => {
      const { request, ...facts } = find(token, browser, now);
      forms.set(token, { ...facts, at: now, exchange });
      return request;
    },
    clear: () => {
      forms.clear();
    },
  };
}
