// The actions that issue tokens without a grant, revoke and expire credentials over control.

import { z } from '../../control/zod.ts';
import { described } from '../../core/records/zod.ts';
import { given, inTitle, keepCredentials, TOKENS, type Action, type Run } from './action.ts';
import { access_token_expires_in, client, optional, strictRecord, text, user } from './members.ts';
import { answerOfControl } from './answer.ts';
import { MissingValueError } from './variables.ts';

const tokenOrder = strictRecord(
  {
    client: z.optional(client),
    user: z.optional(user),
    audience: optional(text, "The client's default audience by default, else the issuer."),
    scope: optional(text, 'The scope of the authorization; none by default.'),
    access_token_expires_in: z.optional(access_token_expires_in),
  },
  'Issues tokens over the control API, without a code. Saves {{access_token}} and {{refresh_token}}.',
);

export const issueTokens: Action<z.input<typeof tokenOrder>> = {
  schema: tokenOrder,
  answer: 'body',
  for_client: true,
  provides: () => TOKENS,
  title: (order) => `issue tokens${inTitle(order)}`,
  perform: async (order, run) => {
    const { client: _client, user: sub, ...more } = order;
    const asked = { ...more, client_id: '{{client.client_id}}', sub };
    const minted = await run.sandbox.control.tokens.mint(given(run.variables.filled(asked)));
    const answer = answerOfControl({ ...minted });
    keepCredentials(run, answer);
    return answer;
  },
};

async function findIssued(value: string, { sandbox }: Run): Promise<string | undefined> {
  const { items } = await sandbox.control.tokens.list({ text: value, limit: 1 });
  return items[0]?.id;
}

const nothingTo = (end: string) =>
  new MissingValueError(`no code or token has this value, so there is nothing to ${end}`);

const revoked = described(
  text,
  'Revokes the given code or token over the control API: "{{refresh_token}}".',
);

export const revoke: Action<z.input<typeof revoked>> = {
  schema: revoked,
  answer: 'none',
  provides: () => [],
  title: (value) => `revoke ${value}`,
  perform: async (value, run) => {
    const id = await findIssued(run.variables.filled(value), run);
    if (id === undefined) throw nothingTo('revoke');
    await run.sandbox.control.tokens.revoke({ id });
    return null;
  },
};

const isUnknown = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'not_found';

const expired = described(
  text,
  'Expires the given code or token over the control API: "{{access_token}}", or a device: "{{user_code}}".',
);

export const expire: Action<z.input<typeof expired>> = {
  schema: expired,
  answer: 'none',
  provides: () => [],
  title: (value) => `expire ${value}`,
  perform: async (value, run) => {
    const { tokens, devices } = run.sandbox.control;
    const credential = run.variables.filled(value);
    const id = await findIssued(credential, run);
    if (id !== undefined) {
      await tokens.expire({ id });
      return null;
    }
    await devices.expire({ id: credential }).catch((error: unknown) => {
      throw isUnknown(error) ? nothingTo('expire') : error;
    });
    return null;
  },
};
