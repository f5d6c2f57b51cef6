// Signs a user out, and notifies the apps (behaviour 21).

import { OAuthError } from '../../core/checks/errors.ts';
import type { Client } from '../../core/records/schemas.ts';
import { type BackChannelLogout, type Delivery, isAccepted } from '../back-channel-logout.ts';
import type { EngineParts } from '../parts.ts';
import { conflict, invalidField, notFound } from './control-error.ts';
import { os } from './implementer.ts';

/** Clients that one call notifies. */
const MOST_CLIENTS = 100;

const view = ({ client_id, exchange: { number, status }, problem }: Delivery) => ({
  client_id,
  exchange: number,
  status,
  problem,
  accepted: isAccepted(status),
});

const isDelivery = (delivery: Delivery | null) => delivery !== null;

export function logoutHandler(
  { service, exchanges }: EngineParts,
  { clients, send, resend }: BackChannelLogout,
) {
  const { registry } = service;
  const again = async (number: number) => {
    const exchange = exchanges.capture.get(number);
    if (exchange?.sent_by !== 'server') throw notFound('logout token in exchange', String(number));
    return [await resend(exchange)];
  };
  const signOut = async (sub: string, client_id: string | undefined) => {
    if (registry.users.get(sub) === undefined) throw notFound('user', sub);
    if (client_id !== undefined && registry.clients.get(client_id) === undefined) {
      throw notFound('client', client_id);
    }
    const recipients = clients().filter(
      (client) => (client_id ?? client.client_id) === client.client_id,
    );
    if (recipients.length > MOST_CLIENTS) {
      const message = `more than ${MOST_CLIENTS} clients have a backchannel_logout_uri: name one`;
      throw conflict(message, 'client_id');
    }
    const entered = service.signOut(sub);
    // A token without sid is about all sessions of the user, but the client may require one for each session.
    const sidsFor = (client: Client): readonly (string | null)[] =>
      client.backchannel_logout_session_required === true
        ? entered.filter((one) => one.client_id === client.client_id).map(({ sid }) => sid)
        : [null];
    try {
      const sent = await Promise.all(
        recipients.flatMap((client) => sidsFor(client).map((sid) => send(client, sub, sid, null))),
      );
      return sent.filter(isDelivery);
    } catch (error) {
      if (error instanceof OAuthError) throw conflict(`no logout token: ${error.message}`);
      throw error;
    }
  };
  return os.logout.handler(async ({ input: { sub, client_id, exchange } }) => {
    if ((sub === undefined) === (exchange === undefined)) {
      throw invalidField('sub', 'is required, or else exchange, but not both');
    }
    const sent =
      exchange === undefined ? await signOut(sub ?? '', client_id) : await again(exchange);
    return { deliveries: sent.map(view) };
  });
}
