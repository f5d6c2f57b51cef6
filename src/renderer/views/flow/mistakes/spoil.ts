// Gets ready what a mistake needs before it can be made: credentials that are spoilt on the way are made
// for it and never held, so that the flow's own stay good.

import type { Exchange } from '../../../../control/schemas.ts';
import { control } from '../../../connection/control.ts';
import { deviceFields, NOBODY, type Choice } from '../choice.ts';
import { deviceOf, type HeldDevice } from '../../../exchange/device-answer.ts';
import type { DecisionEvent } from '../flow-state.ts';
import { drawDecision } from '../run-device.ts';
import { assertionFor } from '../assertion/sign.ts';
import type { Material, Mistake, Preparation } from './mistake.ts';
import {
  authorizeRequest,
  deviceAuthorizationRequest,
  revocationRequest,
} from '../../../../oauth/endpoint-requests.ts';
import {
  deviceCodeFields,
  exchangeFields,
  jwtBearerFields,
  tokenRequest,
} from '../../../../oauth/token-request.ts';
import { replaced, type Fields, type HttpRequest } from '../../../../oauth/fields.ts';
import { issueCode } from '../run-code.ts';
import { approval, signInFormOf, type SignInForm } from '../../../../scenario/sign-in-form.ts';

export type Prepared = Pick<Material, 'spoilt' | 'device' | 'form'>;

export interface PreparationContext {
  readonly choice: Choice;
  readonly material: Material;
  /** The request of the mistake, as of this material. */
  readonly build: Mistake['build'];
  /** Draws the exchange. */
  readonly send: (request: HttpRequest) => Promise<Exchange>;
}

const SHORT_LIFE = { seconds: 1, wait_ms: 1200 };

const NOTHING: Prepared = { spoilt: null, device: null, form: null };
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const spoilt = (credential: string): Prepared => ({ ...NOTHING, spoilt: credential });

async function mint(
  { choice }: PreparationContext,
  more: { access_token_expires_in?: number } = {},
) {
  const { client, user, audience, authorize } = choice;
  return control.tokens.mint({
    client_id: client?.client_id ?? '',
    ...(user === null ? {} : { sub: user.sub }),
    ...(audience === '' ? {} : { audience }),
    ...(authorize.scope === '' ? {} : { scope: authorize.scope }),
    ...more,
  });
}

/** @param lineage_id of tokens just minted: it has one access token */
async function expireByHand(lineage_id: string): Promise<void> {
  const { members } = await control.lineages.get({ id: lineage_id });
  const record = members.find(({ kind }) => kind === 'access_token');
  if (record === undefined) throw new Error('The token minted for this is no longer known.');
  await control.tokens.expire({ id: record.id });
}

async function signInForm({ material, send }: PreparationContext): Promise<SignInForm> {
  const form = signInFormOf(await send(authorizeRequest(material.fields)));
  if (form === null) throw new Error('The server did not show its sign-in page.');
  return form;
}

/** A device of its own: what becomes of it leaves the flow's alone. */
async function requested({ choice, send }: PreparationContext): Promise<HeldDevice> {
  const exchange = await send(deviceAuthorizationRequest(deviceFields(choice.device)));
  const device = deviceOf(exchange, choice.device.client_id);
  if (device === null) throw new Error('No device code was issued.');
  return device;
}

const polled = ({ choice, send }: PreparationContext, { device_code }: HeldDevice) =>
  send(tokenRequest(deviceCodeFields({ ...choice.poll, device_code })));

type Decision = DecisionEvent['decision'];

async function decidedDevice(context: PreparationContext, decision: Decision): Promise<HeldDevice> {
  const device = await requested(context);
  await drawDecision(await control.devices[decision]({ id: device.user_code }), decision);
  return device;
}

/** A proof is used by a request that is rejected, too: nothing is redeemed by it. */
const withoutCredential = (fields: Fields): Fields =>
  fields.map(([name, value]) => [
    name,
    /^(code|refresh_token|device_code|username|subject_token|assertion)$/.test(name)
      ? 'nobody-issued-this'
      : value,
  ]);

const withDevice = (device: HeldDevice): Prepared => ({ ...NOTHING, device });

const PREPARATIONS: Record<Preparation, (context: PreparationContext) => Promise<Prepared>> = {
  code_expired: async ({ choice }) => {
    const { code } = await issueCode(choice, { code_expires_in: SHORT_LIFE.seconds });
    await pause(SHORT_LIFE.wait_ms);
    return spoilt(code);
  },
  code_redeemed: async ({ choice, send }) => {
    const { code, verifier } = await issueCode(choice);
    const fields = exchangeFields({ ...choice.exchange, code_verifier: verifier });
    await send(tokenRequest(replaced(fields, 'code', code)));
    return spoilt(code);
  },
  token_expired: async (context) => {
    const { access_token } = await mint(context, {
      access_token_expires_in: SHORT_LIFE.seconds,
    });
    await pause(SHORT_LIFE.wait_ms);
    return spoilt(access_token);
  },
  token_expired_by_hand: async (context) => {
    const { access_token, lineage_id } = await mint(context);
    await expireByHand(lineage_id);
    return spoilt(access_token);
  },
  token_revoked: async (context) => {
    const { access_token } = await mint(context);
    await context.send(revocationRequest(access_token, context.choice.client ?? NOBODY));
    return spoilt(access_token);
  },
  token_without_openid: async (context) => {
    const { choice } = context;
    const unscoped = { ...choice, authorize: { ...choice.authorize, scope: '' } };
    return spoilt((await mint({ ...context, choice: unscoped })).access_token);
  },
  device_requested: async (context) => withDevice(await requested(context)),
  device_polled: async (context) => {
    const device = await requested(context);
    await polled(context, device);
    return withDevice(device);
  },
  device_denied: async (context) => withDevice(await decidedDevice(context, 'deny')),
  device_expired: async (context) => withDevice(await decidedDevice(context, 'expire')),
  device_approved: async (context) => withDevice(await decidedDevice(context, 'approve')),
  device_redeemed: async (context) => {
    const device = await decidedDevice(context, 'approve');
    await polled(context, device);
    return withDevice(device);
  },
  sign_in_page: async (context) => ({ ...NOTHING, form: await signInForm(context) }),
  sign_in_form_sent: async (context) => {
    const form = await signInForm(context);
    await context.send(approval(form, context.choice.user?.sub ?? ''));
    return { ...NOTHING, form };
  },
  assertion_used: async ({ choice, send }) => {
    const assertion = await assertionFor(choice);
    await send(tokenRequest(jwtBearerFields({ ...choice.bearer, assertion })));
    return spoilt(assertion);
  },
  proof_used: async ({ material, build, send }) => {
    await send(build({ ...material, fields: withoutCredential(material.fields) }));
    return NOTHING;
  },
};

export async function prepared(
  { prepare, assertion, build }: Mistake,
  context: Omit<PreparationContext, 'build'>,
): Promise<Prepared> {
  if (assertion !== undefined) return spoilt(await assertionFor(context.choice, assertion));
  return prepare === undefined ? NOTHING : PREPARATIONS[prepare]({ ...context, build });
}
