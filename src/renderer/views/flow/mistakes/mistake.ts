// A deliberate mistake: what it changes in the request, the expected response and the rule behind it.

import type { Client, Profile, Settings } from '../../../../control/schemas.ts';
import type { AssertionOrder } from '../../../../oauth/assertion.ts';
import type { Credentials } from '../../../../oauth/client-authentication.ts';
import type { BodyFormat, Fields, HttpRequest } from '../../../../oauth/fields.ts';
import type { ProofOrder } from '../../../../oauth/prover.ts';
import type { SignInForm } from '../../../../scenario/sign-in-form.ts';
import type { HeldDevice } from '../../../exchange/device-answer.ts';
import type { AnswerKind } from './answers.ts';

export type AuthorizeMode = Settings['authorize'];

/** Nothing is bound to a key, and no proof is sent. */
export const WITHOUT_PROOFS: Material['dpop'] = {
  on: false,
  code_bound: false,
  token_bound: false,
  public_client: false,
  required: false,
};

/** The correct request, and the values that a mistake may put into it. */
export interface Material {
  fields: Fields;
  /** Of the flow's client. */
  credentials: Credentials;
  format: BodyFormat;
  /** Where the request goes. */
  path: string;
  /** A client other than the flow's own, which may use the same grant; null when there is none. */
  other_client: Client | null;
  /** An audience other than the code's: a registered one when there is one. */
  other_audience: string;
  access_token: string | null;
  refresh_token: string | null;
  /** An access token from before the last reset; null when there was none. */
  former_token: string | null;
  /** A credential that is no longer valid, for a mistake that needs one. */
  spoilt: string | null;
  /** A device that was requested for the mistake. */
  device: Pick<HeldDevice, 'device_code' | 'user_code'> | null;
  /** The form of the sign-in page, for a mistake that needs it. */
  form: SignInForm | null;
  user_has_password: boolean;
  /** What is bound to a key, and has to be sent with a proof of it (RFC 9449). */
  dpop: {
    readonly on: boolean;
    readonly code_bound: boolean;
    readonly token_bound: boolean;
    readonly public_client: boolean;
    /** Whether the client has to send a proof with every token request. */
    readonly required: boolean;
  };
  frozen: boolean;
  mode: AuthorizeMode;
}

/** What the runner prepares before the request is sent. */
export type Preparation =
  | 'code_redeemed'
  | 'code_expired'
  | 'token_expired'
  | 'token_expired_by_hand'
  | 'token_revoked'
  | 'token_without_openid'
  | 'device_requested'
  | 'device_polled'
  | 'device_denied'
  | 'device_expired'
  | 'device_approved'
  | 'device_redeemed'
  | 'sign_in_page'
  | 'sign_in_form_sent'
  | 'proof_used'
  | 'assertion_used';

export interface Mistake {
  id: string;
  title: string;
  /** What is sent instead, in a few words. */
  sends: string;
  answer: (profile: Profile, mode: AuthorizeMode) => AnswerKind;
  section: string;
  prepare?: Preparation;
  /** Why it cannot be tried now, or null. */
  blocked?: (material: Material) => string | null;
  build: (material: Material) => HttpRequest;
  /** What is wrong with its assertion, which is signed for it and then `spoilt` of the material. */
  assertion?: AssertionOrder;
  /** What is wrong with its DPoP proof; `none` leaves it out. */
  proof?: ProofOrder | 'none';
}
