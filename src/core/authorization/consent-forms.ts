// The consent forms shown to users. A form can be submitted once, before it expires, by the browser it was issued to.
// It stores its authorization request, which is validated again when the form is submitted.

import { keptRequest, requestBytes } from './authorization-request.ts';
import type { AuthorizationRequest } from './request-parameters.ts';
import { type Bounds, createBoundedMap } from '../collections/bounded-map.ts';
import { OAuthError } from '../checks/errors.ts';
import type { Random, Sha256 } from '../model/ports.ts';
import { valueOf } from '../model/request.ts';
import { encodeRandom } from '../issuing/random-text.ts';

interface FormFacts {
  /** Digest of the browser's cookie. */
  readonly browser: string;
  /** Milliseconds of the sandbox clock. */
  readonly expires_at: number;
}

interface OpenForm extends FormFacts {
  readonly request: AuthorizationRequest;
}

/** A form that was submitted: when, and in which exchange. Its request is no longer stored. */
interface SentForm extends FormFacts {
  readonly at: number;
  readonly exchange: number;
}

export type ConsentForms = ReturnType<typeof createConsentForms>;

const LIFETIME_SECONDS = 1800;

const MIB = 1024 * 1024;

/** The oldest form is removed first. */
export const FORM_BOUNDS = { entries: 1000, bytes: 4 * MIB } as const;

const FORM_BYTES = 400;

const weigh = (form: OpenForm | SentForm): number =>
  FORM_BYTES + ('request' in form ? requestBytes(form.request) : 0);

export function createConsentForms(random: Random, sha256: Sha256, bounds: Bounds = FORM_BOUNDS) {
  const forms = createBoundedMap<string, OpenForm | SentForm>(bounds, weigh);

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
    open: (request: AuthorizationRequest, browser: string, now: number): string => {
      const token = encodeRandom(random(32));
      forms.set(token, {
        browser: sha256(browser),
        expires_at: now + LIFETIME_SECONDS * 1000,
        request: keptRequest(request),
      });
      return token;
    },
    /**
     * Consumes a submitted form, which cannot be submitted again.
     * @throws OAuthError `invalid_request` if it is unknown, expired, already submitted or issued to another browser
     */
    take: (token: string, browser: string, now: number, exchange: number): AuthorizationRequest => {
      const { request, ...facts } = find(token, browser, now);
      forms.set(token, { ...facts, at: now, exchange });
      return request;
    },
    /** Returns the client_id of the request behind an unsent form; null if there is no such form. */
    clientOf: (token: string): string | null => {
      const form = forms.get(token);
      return (form && 'request' in form ? valueOf(form.request, 'client_id') : null) ?? null;
    },
    forgetClients: (client_ids: ReadonlySet<string>) => {
      for (const [token, form] of [...forms.entries()]) {
        const client_id = 'request' in form ? valueOf(form.request, 'client_id') : undefined;
        if (client_id !== undefined && client_ids.has(client_id)) forms.delete(token);
      }
    },
    clear: forms.clear,
    fill: forms.fill,
  };
}
