import { Button, SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Exchange } from '../../control/schemas.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { tokenAnswerOf, type TokenAnswer } from './answer.ts';
import { decodeJwt } from '../../oauth/jwt.ts';
import classes from '../inspector/Inspector.module.css';
import { TokenInspector } from '../inspector/TokenInspector.tsx';
import { REDACTED } from '../../redact/spans.ts';
import type { SecretsSwitch } from './secrets.ts';

const NAMES = {
  access_token: 'Access token',
  refresh_token: 'Refresh token',
  id_token: 'ID token',
} as const;

type Name = keyof typeof NAMES;

const issuedIn = (answer: TokenAnswer): Name[] =>
  (Object.keys(NAMES) as Name[]).filter((name) => answer[name] !== null);

interface TokenTabProps {
  readonly exchange: Exchange;
  readonly secrets: SecretsSwitch;
}

/** The tokens of the answer, one at a time: decoded where there is something to decode. */
export function TokenTab({ exchange, secrets }: TokenTabProps) {
  const [wanted, setWanted] = useState<Name>('access_token');
  const answer = useMemo(() => tokenAnswerOf(exchange), [exchange]);
  const shown = (answer?.[wanted] ?? null) === null ? 'access_token' : wanted;
  const token = answer?.[shown] ?? null;
  const jwt = useMemo(() => (token === null ? null : decodeJwt(token)), [token]);
  if (answer === null || token === null) {
    return <p className={classes.none}>This response contains no token.</p>;
  }
  if (token === REDACTED) {
    return (
      <div className={classes.inspector}>
        <p className={classes.opaque}>Tokens are hidden. Reveal secrets to see them.</p>
        <span>
          <Button onClick={() => secrets.onReveal(true)}>Reveal secrets</Button>
        </span>
      </div>
    );
  }
  const names = issuedIn(answer);
  return (
    <div className={classes.inspector}>
      <div className={classes.bar}>
        {names.length > 1 ? (
          <SegmentedControl
            aria-label="Token"
            value={shown}
            onChange={setWanted}
            data={names.map((value) => ({ value, label: NAMES[value] }))}
          />
        ) : (
          <h3 className={classes.name}>{NAMES[shown]}</h3>
        )}
        <CopyButton value={token} label={`Copy ${NAMES[shown].toLowerCase()}`} text="Copy" />
      </div>
      {jwt === null ? (
        <>
          <p className={classes.opaque}>
            <b>Opaque.</b> It contains no readable claims; only this server can look it up.
          </p>
          <p className={classes.encoded}>{token}</p>
        </>
      ) : (
        <TokenInspector token={token} jwt={jwt} />
      )}
    </div>
  );
}
