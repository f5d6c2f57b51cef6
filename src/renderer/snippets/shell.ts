// What commands for a POSIX shell have in common: one argument a line, and bytes that no argument can
// hold.

import { base64OfText } from '../../oauth/base64.ts';
import { sh } from './literals.ts';

export const command = (parts: readonly string[]): string => parts.join(' \\\n  ');

/** An argument cannot hold a NUL. */
export const needsPipe = (body: string): boolean => body.includes('\0');

/** The command with a body on its standard input. */
export const piped = (base64: string, parts: readonly string[]): string =>
  `printf %s ${sh(base64)} | base64 -d | ${command(parts)}`;

export const pipedText = (body: string, parts: readonly string[]): string =>
  piped(base64OfText(body), parts);
