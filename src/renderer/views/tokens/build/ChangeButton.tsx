import { Button } from '@mantine/core';
import { IconSignature } from '@tabler/icons-react';
import type { DecodedJwt } from '../../../../oauth/jwt.ts';
import classes from '../Tokens.module.css';
import { changeAndSign } from './build-store.ts';

/** Takes a token that was decoded as the start of another one. */
export function ChangeButton({ jwt }: { readonly jwt: DecodedJwt }) {
  return (
    <Button
      className={classes.otherKey ?? ''}
      variant="subtle"
      leftSection={<IconSignature size="1.1em" aria-hidden="true" />}
      onClick={() => void changeAndSign(jwt.header, jwt.payload)}
    >
      Change and sign…
    </Button>
  );
}
