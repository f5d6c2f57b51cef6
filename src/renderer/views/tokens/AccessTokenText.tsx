import { IconAlertTriangle } from '@tabler/icons-react';
import type { Credential } from '../../../control/schemas.ts';
import type { DecodedJwt } from '../../../oauth/jwt.ts';
import inspector from '../../inspector/Inspector.module.css';
import { TokenInspector } from '../../inspector/TokenInspector.tsx';
import { ChangeButton } from './build/ChangeButton.tsx';
import { offlineNotice } from './consequences.ts';
import { isLive } from './credential.ts';
import { SecretText } from './SecretText.tsx';
import type { TokenValue } from './use-token-value.ts';

interface AccessTokenTextProps {
  /** In its current state. */
  readonly credential: Credential;
  readonly value: TokenValue;
  /** null while it is not known, and when it is opaque. */
  readonly jwt: DecodedJwt | null;
  readonly now: number;
}

/** A decoded access token, with a notice if it was revoked or expired early. */
export function AccessTokenText({ credential, value, jwt, now }: AccessTokenTextProps) {
  const { text, state } = value;
  const notice = isLive(credential) ? null : offlineNotice(credential, text, now);
  return (
    <>
      {notice !== null && (
        <p className={inspector.signature} data-tone="warn">
          <IconAlertTriangle aria-hidden="true" />
          <span>
            <b>Not valid at this server.</b> {notice}
          </span>
        </p>
      )}
      {state === 'gone' && (
        <p className={inspector.opaque}>
          The text of this token is no longer kept; it is kept for the newest access tokens only.
        </p>
      )}
      {text !== null && jwt !== null && (
        <>
          <ChangeButton jwt={jwt} />
          <TokenInspector token={text} jwt={jwt} ended={!isLive(credential)} />
        </>
      )}
      {text !== null && jwt === null && <SecretText credential={credential} />}
    </>
  );
}
