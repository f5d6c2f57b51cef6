// HTTP Basic as OAuth has it: id and secret form-encoded first (RFC 6749 2.3.1).

import type { Credentials } from '../flow/requests.ts';

export const isBasic = (value: string | null): boolean => /^basic\b/i.test(value ?? '');

const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

/** The value of the Authorization header. */
export const basic = ({ client_id, client_secret }: Credentials): string =>
  `Basic ${btoa(`${formEncoded(client_id)}:${formEncoded(client_secret ?? '')}`)}`;

/** Id and secret of a Basic header; null when it holds none. */
export function readBasic(value: string | null): Credentials | null {
  if (value === null || !isBasic(value)) return null;
  try {
    const [id = '', ...secret] = atob(value.replace(/^basic\s+/i, '')).split(':');
    const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
    return { client_id: decode(id), client_secret: decode(secret.join(':')) };
  } catch {
    return null;
  }
}
