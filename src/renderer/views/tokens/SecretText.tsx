import { Button } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import type { Credential } from '../../../control/schemas.ts';
import inspector from '../../inspector/Inspector.module.css';
import { kindWords } from './credential.ts';
import classes from './Tokens.module.css';
import { useTokenValue } from './use-token-value.ts';

const MASK = '•'.repeat(43);

/** A code or refresh token: opaque, and hidden until it is asked for. */
export function SecretText({ credential }: { readonly credential: Credential }) {
  const [shown, setShown] = useState(false);
  const { state, text } = useTokenValue(credential.id, shown);
  const kind = kindWords(credential.kind);
  return (
    <section className={inspector.part} aria-label="Text">
      <h3>Text</h3>
      <p className={inspector.words}>
        Opaque: it contains no readable claims; only this server can look it up.
      </p>
      <p className={`${inspector.encoded} ${classes.secret}`}>
        {state === 'gone' ? 'Its text is no longer kept.' : (text ?? MASK)}
      </p>
      <Button
        variant="subtle"
        aria-pressed={shown}
        leftSection={
          shown ? (
            <IconEyeOff size="1.1em" aria-hidden="true" />
          ) : (
            <IconEye size="1.1em" aria-hidden="true" />
          )
        }
        onClick={() => setShown(!shown)}
      >
        {shown ? 'Hide' : 'Reveal'} the {kind}
      </Button>
    </section>
  );
}
