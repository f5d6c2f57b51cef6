// The token that is being built. The state lasts as long as the page, so that another view can be shown meanwhile.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { SignedToken, SignToken } from '../../../control/schemas.ts';
import { conflictOf, type TokenMistake } from '../../../control/names.ts';
import { isJsonObject, type JsonObject } from '../../../json.ts';
import { control, problemOf } from '../../connection/control.ts';
import { navigate } from '../../navigation/route.ts';
import { chosenParty } from '../../sending/chosen-party.ts';
import { notifyFailure } from '../../ui/notify.tsx';
import { problemSentence } from '../../ui/problems.ts';
import { readTypedJson } from '../../ui/typed-json.ts';
import { BUILD } from './open-token.ts';

interface Built {
  /** The client whose access token provides the claims; null: the client of the flow. */
  readonly client_id: string | null;
  readonly sub: string | null;
  readonly audience: string | null;
  /** The text as typed. */
  readonly header: string;
  readonly claims: string;
  readonly wrong: readonly TokenMistake[];
  /** The URL of the API in the curl command. */
  readonly url: string;
  readonly problems: Readonly<Partial<Record<'header' | 'claims' | 'wrong', string>>>;
  readonly busy: boolean;
  readonly result: SignedToken | null;
}

const store = createStore<Built>(() => ({
  client_id: null,
  sub: null,
  audience: null,
  header: '',
  claims: '',
  wrong: [],
  url: 'http://localhost:3000/',
  problems: {},
  busy: false,
  result: null,
}));

export const useBuilt = (): Built => useStore(store);

export const edit = (change: Partial<Built>): void => store.setState(change);

const jsonText = (members: JsonObject) => JSON.stringify(members, null, 2);

const without = (members: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));

/** The members that the key determines, and the one that is new in each token. */
const OF_THE_KEY = ['alg', 'kid'];
const OWN = ['jti'];

const startFrom = (header: JsonObject, claims: JsonObject): void =>
  edit({
    header: jsonText(without(header, OF_THE_KEY)),
    claims: jsonText(without(claims, OWN)),
    problems: {},
    result: null,
  });

/** Opens the builder with a decoded token. */
export async function changeAndSign(header: JsonObject, claims: JsonObject): Promise<void> {
  startFrom(header, claims);
  await navigate('tokens', BUILD);
}

/** Fills in the claims that an access token would have now. */
export async function takeClaims(): Promise<void> {
  const { client_id, sub, audience } = store.getState();
  const { client, user } = chosenParty();
  const chosen = client_id ?? client?.client_id;
  if (chosen === undefined) return;
  const named = sub ?? user?.sub;
  try {
    const { header, claims } = await control.tokens.sign({
      client_id: chosen,
      ...(named === undefined ? {} : { sub: named }),
      ...(audience === null ? {} : { audience }),
    });
    startFrom(header, claims);
  } catch (error) {
    notifyFailure('The claims were not filled in.', error);
  }
}

/** Adds or removes a mistake. Adding one removes those that set the same part. */
export function toggleMistake(mistake: TokenMistake): void {
  const { wrong } = store.getState();
  const others = wrong.filter((one) => one !== mistake);
  edit({
    wrong:
      others.length < wrong.length
        ? others
        : [...others.filter((one) => conflictOf([one, mistake]) === null), mistake],
  });
}

type ReadMembers = { readonly members: JsonObject } | { readonly problem: string };

function readMembers(text: string): ReadMembers {
  if (text.trim() === '') return { members: {} };
  const json = readTypedJson(text);
  if (!json.ok) return { problem: json.problem };
  return isJsonObject(json.value)
    ? { members: json.value }
    : { problem: 'It must be a JSON object, like {"sub": "ada"}.' };
}

/** The order, or the problems of its texts. */
function readOrder({ header, claims, wrong }: Built): SignToken | Built['problems'] {
  const head = readMembers(header);
  const body = readMembers(claims);
  if ('members' in head && 'members' in body) {
    // If the user removes typ, the token has none.
    return { header: { typ: null, ...head.members }, claims: body.members, wrong: [...wrong] };
  }
  return {
    ...('problem' in head ? { header: head.problem } : {}),
    ...('problem' in body ? { claims: body.problem } : {}),
  };
}

const FIELDS = ['header', 'claims', 'wrong'] as const;

export async function signBuilt(): Promise<void> {
  const { busy } = store.getState();
  if (busy) return;
  const order = readOrder(store.getState());
  if (!Array.isArray(order.wrong)) {
    edit({ problems: order as Built['problems'], result: null });
    return;
  }
  edit({ busy: true, problems: {} });
  try {
    edit({ result: await control.tokens.sign(order as SignToken) });
  } catch (error) {
    const problem = problemOf(error);
    const at = FIELDS.find((name) => problem.field?.split(/[.[]/)[0] === name);
    edit({ result: null });
    if (at === undefined) notifyFailure('Nothing was signed.', error);
    else edit({ problems: { [at]: problemSentence(problem) } });
  } finally {
    edit({ busy: false });
  }
}
