// Gets ready what a mistake needs before it can be made: credentials that are spoilt on the way are made
// for it and never held, so that the flow's own stay good.

import type { Exchange } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { NOBODY, type Choice } from './choice.ts';
import type { Material, Preparation } from './mistake.ts';
import { authorizeRequest, revocationRequest } from '../../../oauth/endpoint-requests.ts';
import { exchangeFields, tokenRequest } from '../../../oauth/token-request.ts';
import { replaced, type HttpRequest } from '../../../oauth/fields.ts';
import { issueCode } from './run.ts';
import { approval, signInFormOf, type SignInForm } from '../../../scenario/sign-in-form.ts';

export type Prepared = Pick<Material, 'spoilt' | 'form'>;

export interface PreparationContext {
  readonly choice: Choice;
  readonly material: Material;
  /** Draws the exchange. */
  readonly send: (request: HttpRequest) => Promise<Exchange>;
}

const SHORT_LIFE = { seconds: 1, wait_ms: 1200 };

const NOTHING: Prepared = { spoilt: null, form: null };
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
  sign_in_page: async (context) => ({ ...NOTHING, form: await signInForm(context) }),
  sign_in_form_sent: async (context) => {
    const form = await signInForm(context);
    await context.send(approval(form, context.choice.user?.sub ?? ''));
    return { ...NOTHING, form };
  },
};

export const prepared = async (
  how: Preparation | undefined,
  context: PreparationContext,
): Promise<Prepared> => (how === undefined ? NOTHING : PREPARATIONS[how](context));
