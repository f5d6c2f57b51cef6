// The open credential, and the actions on a credential, from its buttons and from the palette. Each reports its result.

import { useCallback } from 'react';
import { useStore } from 'zustand';
import type { Client, Credential, Exchange, Forecast, Lineage } from '../../../control/schemas.ts';
import { attempt, attemptConfirmed } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { sandboxNow } from '../../connection/clock.ts';
import { createSandboxStore, usePage } from '../../connection/state.ts';
import { parseRoute } from '../../navigation/route.ts';
import { confirm } from '../../ui/confirm.ts';
import { copyText, notify } from '../../ui/notify.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { chosenParty, clientById } from '../../sending/chosen-party.ts';
import { openRun, sendStep } from '../../sending/open-run.ts';
import { KIND_WORDS, kindWords, asOf, isLive } from './credential.ts';
import {
  forecastInWords,
  type Replayed,
  replayObstacle,
  replayStep,
  replayToEvaluate,
  revokesLineage,
} from './token-replay.ts';
import { type DecodedJwt, decodeJwt } from '../../../oauth/jwt.ts';
import { clockInWords } from '../../../oauth/moments.ts';
import { enumerated, pluralize } from '../../../words.ts';

// The consequences of ending a credential, in words, shown beforehand. Pure.

/** The id in the `jti`, `uti` (Entra) or `sid` of a token that this server issued: <epoch>.<lineage>.<n> (behaviour 2). */
const NAME = /^[\w-]+\.([0-9a-z]+\.\d+)$/;

/** The id of the credential that the token claims to be; null when it does not name one of this server. */
export function ownId({ payload }: DecodedJwt, issuer: string): string | null {
  const { iss, jti, uti, sid } = payload;
  const name = jti ?? uti ?? sid;
  if (iss !== issuer || typeof name !== 'string') return null;
  return NAME.exec(name)?.[1] ?? null;
}

const KINDS = ['code', 'refresh_token', 'access_token'] as const;

/** `1 refresh token and 3 access tokens`; empty when no other is live. */
export function othersAlive(lineage: Lineage, id: string, now: number): string {
  const alive = lineage.members
    .map((member) => asOf(member, now))
    .filter((member) => member.id !== id && isLive(member));
  return enumerated(
    KINDS.map((kind) => [kind, alive.filter((one) => one.kind === kind).length] as const)
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => pluralize(count, kindWords(kind))),
  );
}

/**
 * A self-contained token that has ended still passes offline verification (behaviour 2.10).
 * @param value null when unknown; the token may then be self-contained
 */
export function offlineNotice(
  { kind, state, expires_at }: Credential,
  value: string | null,
  now: number,
): string | null {
  if (kind !== 'access_token' || (value !== null && decodeJwt(value) === null)) return null;
  const until = Date.parse(expires_at);
  if (until <= now) return null;
  const accepts = `may accept it until ${clockInWords(until, now)}.`;
  return state === 'inactive'
    ? `Its key was retired or the issuer has changed, so introspection and userinfo reject it. An API that does not know this ${accepts}`
    : `Introspection and userinfo reject it. An API that verifies the JWT offline cannot know this and ${accepts}`;
}

const FINAL = 'This cannot be undone.';

/** The consequence, what an API cannot know, and that nothing undoes it. */
const inFull = (consequence: string, notice: string | null): string =>
  `${consequence} ${notice === null ? '' : `${notice} `}${FINAL}`;

export const expireConsequence = (
  credential: Credential,
  value: string | null,
  now: number,
): string =>
  inFull(
    'It expires now; the rest of its lineage is not affected.',
    offlineNotice(credential, value, now),
  );

/** Revoking a refresh token revokes its lineage; any other credential is revoked alone (RFC 7009 2.1). */
export function revokeConsequence(
  credential: Credential,
  lineage: Lineage,
  value: string | null,
  now: number,
): string {
  const whole = credential.kind === 'refresh_token';
  const others = whole ? othersAlive(lineage, credential.id, now) : '';
  const along = whole
    ? `Its whole lineage is revoked with it${others === '' ? '' : `: ${others} more`} (RFC 7009 2.1).`
    : 'Only this credential is revoked; the rest of its lineage is not affected.';
  return inFull(along, offlineNotice(credential, value, now));
}

export function lineageConsequence(lineage: Lineage, now: number): string {
  const alive = othersAlive(lineage, '', now);
  const what = alive === '' ? 'None of its credentials is live.' : `This revokes ${alive}.`;
  return `${what} No new tokens can be issued from this authorization. ${FINAL}`;
}

/** Items of the route that open a pane instead of a credential. */
export const PASTE = 'paste:';
export const BUILD = 'build:';

export const isPane = (item: string | null): boolean => item === PASTE || item === BUILD;

/** A credential as it is shown, with everything issued from the same authorization. */
export interface Shown {
  readonly credential: Credential;
  readonly lineage: Lineage;
}

export async function readShown(id: string): Promise<Shown> {
  const credential = await control.tokens.get({ id });
  return { credential, lineage: await control.lineages.get({ id: credential.lineage_id }) };
}

/** `gone`: the engine stores the text of the newest access tokens only. */
export type TokenValue =
  | { readonly state: 'hidden' | 'asking' | 'gone'; readonly text: null }
  | { readonly state: 'known'; readonly text: string };

/** The text of a credential, loaded only when it is wanted. After a reset of the sandbox, another one may have the id. */
export function useTokenValue(id: string, wanted: boolean): TokenValue {
  const read = useCallback(() => control.tokens.get({ id, secrets: true }), [id]);
  const revision = usePage((state) => state.credentials_revision);
  const { known, code } = useLoaded(wanted ? read : null, revision, id);
  if (!wanted) return { state: 'hidden', text: null };
  const text = known?.value ?? null;
  if (text !== null) return { state: 'known', text };
  // If the connection is lost, it is loaded once that is back.
  return { state: known === null && code !== 'not_found' ? 'asking' : 'gone', text };
}

export const NOT_STORED =
  'The text of this token is no longer stored: only the newest access tokens keep their text';

/** Loads the text of a credential. @throws Error when it is no longer stored */
export async function valueOf({ id }: Credential): Promise<string> {
  const { value } = await control.tokens.get({ id, secrets: true });
  if (value === null) throw new Error(NOT_STORED);
  return value;
}

const knownValue = (credential: Credential): Promise<string | null> =>
  valueOf(credential).catch(() => null);

export const copyToken = (credential: Credential): Promise<boolean> =>
  copyText(
    `the ${kindWords(credential.kind)}`,
    `The ${kindWords(credential.kind)} was not copied.`,
    () => valueOf(credential),
  );

export async function expireToken({ credential }: Shown): Promise<void> {
  const kind = kindWords(credential.kind);
  const question = {
    title: `Expire this ${kind} now?`,
    body: expireConsequence(credential, await knownValue(credential), sandboxNow()),
    confirm: 'Expire now',
  };
  await attemptConfirmed(question, `The ${kind} did not expire.`, async () => {
    await control.tokens.expire({ id: credential.id });
    notify(`${KIND_WORDS[credential.kind]} ${credential.id} is expired`);
  });
}

export async function revokeToken({ credential, lineage }: Shown): Promise<void> {
  const kind = kindWords(credential.kind);
  const value = await knownValue(credential);
  const question = {
    title: `Revoke this ${kind}?`,
    body: revokeConsequence(credential, lineage, value, sandboxNow()),
    confirm: 'Revoke',
  };
  await attemptConfirmed(question, `The ${kind} was not revoked.`, async () => {
    await control.tokens.revoke({ id: credential.id });
    notify(`${KIND_WORDS[credential.kind]} ${credential.id} is revoked`);
  });
}

export async function revokeLineage(lineage: Lineage): Promise<void> {
  const question = {
    title: `Revoke lineage ${lineage.lineage_id}?`,
    body: lineageConsequence(lineage, sandboxNow()),
    confirm: 'Revoke lineage',
  };
  await attemptConfirmed(question, 'The lineage was not revoked.', async () => {
    await control.lineages.revoke({ id: lineage.lineage_id });
    notify(`Lineage ${lineage.lineage_id} is revoked`);
  });
}

/** The result of replaying a credential, and the one expected. */
export interface Replay {
  readonly exchange: Exchange;
  readonly forecast: Forecast;
}

/** Asks core how it would respond to a replay now. Nothing is sent. */
export const evaluateReplay = (credential: Replayed, client: Client): Promise<Forecast> =>
  control.requests.evaluate(replayToEvaluate(credential, client, openRun()));

/** Issues a token pair for the client of the flow. */
export const mintTokens = (): Promise<boolean> =>
  attempt('No tokens were issued.', async () => {
    const { client, user } = chosenParty();
    if (client === null) throw new Error('Register a client first');
    const order = { client_id: client.client_id, ...(user === null ? {} : { sub: user.sub }) };
    const { lineage_id } = await control.tokens.mint(order);
    notify(`Issued for ${client.client_id}, lineage ${lineage_id}`);
  });

function openId(): string | null {
  const route = parseRoute(location.hash);
  return route?.view === 'tokens' && !isPane(route.item) ? route.item : null;
}

export const isTokenOpen = (): boolean => openId() !== null;

type TokenAction = (shown: Shown) => Promise<unknown>;

export const withToken = (id: string, run: TokenAction): Promise<boolean> =>
  attempt(`The action on ${id} failed.`, async () => {
    await run(await readShown(id));
  });

/** The same for the open credential. */
export async function withOpenToken(run: TokenAction): Promise<void> {
  const id = openId();
  if (id !== null) await withToken(id, run);
}

/** The result for the credential that was replayed last. */
const noReplay = () => ({ last: null as { readonly id: string; readonly replay: Replay } | null });
const replays = createSandboxStore(noReplay, noReplay);

/** The result of replaying this credential, until the user leaves it. */
export const useReplay = (id: string): Replay | null =>
  useStore(replays, ({ last }) => (last?.id === id ? last.replay : null));

export const leaveReplay = (): void => replays.setState(noReplay);

/** Replays a credential over real HTTP, as its client would. */
export const replayShown = ({ credential }: Shown): Promise<boolean> =>
  attempt('Nothing was sent.', async () => {
    const client = clientById(credential.client_id);
    const obstacle = replayObstacle(credential, client);
    if (client === null || obstacle !== null) throw new Error(obstacle ?? '');
    const forecast = await evaluateReplay(credential, client);
    const goOn =
      !revokesLineage(forecast) ||
      (await confirm({
        title: `Replay this ${kindWords(credential.kind)}?`,
        body: `Expected response: ${forecastInWords(forecast)}`,
        confirm: 'Replay',
        danger: true,
      }));
    if (!goOn) return;
    const step = replayStep(credential, await valueOf(credential), client);
    const exchange = await sendStep(step, openRun());
    replays.setState({ last: { id: credential.id, replay: { exchange, forecast } } });
  });
