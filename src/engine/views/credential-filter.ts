// Which credentials somebody who looks wants to see.

import type { CredentialFilter } from '../../control/schemas.ts';
import type { Credential } from '../../core/model/credentials.ts';
import { accessTokenId, credentialId, stateOf, subOf } from '../../core/model/credentials.ts';
import { formatAccessTokenId } from '../../core/model/access-token-id.ts';
import type { Wanted } from '../../core/stores/newest.ts';

function shownTexts(credential: Credential): (string | null)[] {
  const { lineage } = credential;
  const { audience, scope } = credential.kind === 'access_token' ? credential : lineage;
  return [
    credentialId(credential),
    lineage.registration.client_id,
    subOf(lineage),
    audience,
    scope,
  ];
}

const isNamed = (credential: Credential, text: string): boolean =>
  credential.value === text ||
  (credential.kind === 'access_token' && formatAccessTokenId(accessTokenId(credential)) === text);

/** A part of what is shown, in any case of letters; or the credential itself, which is not shown. */
function matches(credential: Credential, text: string, lower: string): boolean {
  return (
    shownTexts(credential).some((shown) => shown?.toLowerCase().includes(lower)) ||
    isNamed(credential, text)
  );
}

/** @param now milliseconds of the sandbox clock */
export function wantedBy(filter: CredentialFilter, now: number): Wanted {
  const { kind, state, client_id } = filter;
  const text = filter.text?.trim() ?? '';
  const lower = text.toLowerCase();
  return (credential) =>
    (kind === undefined || credential.kind === kind) &&
    (client_id === undefined || credential.lineage.registration.client_id === client_id) &&
    (state === undefined || stateOf(credential, now) === state) &&
    (text === '' || matches(credential, text, lower));
}
