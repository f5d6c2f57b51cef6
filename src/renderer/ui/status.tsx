// How the page words the first lines of an exchange. A fault may leave a request without a response (behaviour 8): its
// exchange has status 0, which is not a success.

import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './StatusTag.module.css';

/** Whether there is a response that is not an error. */
export const isSuccess = (status: number): boolean => status > 0 && status < 400;

/** The tone of a status; 429 is a warning. */
export function toneOf(status: number): 'ok' | 'warn' | 'bad' {
  if (status === 429) return 'warn';
  return isSuccess(status) ? 'ok' : 'bad';
}

/** `200`, or `no response`. */
export const statusWords = (status: number): string =>
  status === 0 ? 'no response' : String(status);

/** Whether an exchange has a request. The method of bytes that are not HTTP, and of a failed handshake, is `-`. */
export const hasRequest = ({ method }: { readonly method: string }): boolean => method !== '-';

/** `POST /oauth/token`, without the query. */
export const requestLine = ({
  method,
  path,
}: {
  readonly method: string;
  readonly path: string;
}): string =>
  hasRequest({ method }) ? `${method} ${path.split('?', 1)[0] ?? ''}` : 'no HTTP request';

/** The colour of a state; a word or an icon always accompanies it. */
export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'muted';

/**
 * A small coloured label, such as an HTTP status or a verdict. Its text carries the meaning. Reports, which have no
 * component library, use it too.
 */
export const StatusTag = ({
  tone,
  children,
}: {
  readonly tone: Tone;
  readonly children: ReactNode;
}) => (
  <span className={classes.tag} data-tone={tone}>
    {children}
  </span>
);

interface ToneLineProps {
  readonly tone: Tone;
  readonly icon: Icon;
  readonly role?: 'status';
  /** What is bold in it has its tone. */
  readonly children: ReactNode;
}

/** A result in words behind an icon. */
export const ToneLine = ({ tone, icon: Shape, role, children }: ToneLineProps) => (
  <p className={classes.line} data-tone={tone} role={role}>
    <Shape aria-hidden="true" />
    <span>{children}</span>
  </p>
);
