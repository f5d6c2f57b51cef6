import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconInfoCircle, IconSignature, IconX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { navigate } from '../../../navigation/route.ts';
import { JsonField } from '../../../ui/JsonField.tsx';
import { PanelHead } from '../../../ui/panel.tsx';
import { useNeed, whileBusy } from '../../../ui/use-need.ts';
import classes from '../Tokens.module.css';
import { BaseFields } from './BaseFields.tsx';
import { edit, signBuilt, takeClaims, useBuilt } from './build-store.ts';
import { MistakeList } from './MistakeList.tsx';
import { SignedResult } from './SignedResult.tsx';

const close = () => void navigate('tokens');

const buttonText = (mistakes: number): string =>
  mistakes === 0 ? 'Sign' : `Sign with ${mistakes} mistake${mistakes === 1 ? '' : 's'}`;

/** A token that is signed for a test, right or wrong on purpose. */
export function BuildPane() {
  const { header, claims, wrong, problems, busy, result } = useBuilt();
  useEffect(() => {
    if (claims === '') void takeClaims();
    // Only what is there on arrival counts: a text that is emptied stays empty.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const needs = useNeed('connection');
  return (
    <section className={`${classes.detail} ${classes.pasting}`} aria-label="Build a token">
      <PanelHead title="Build a token">
        <Tooltip label="Close">
          <ActionIcon aria-label="Close the builder" onClick={close}>
            <IconX size="1.1em" />
          </ActionIcon>
        </Tooltip>
      </PanelHead>
      <div className={classes.build}>
        <p className={classes.note}>
          <IconInfoCircle aria-hidden="true" /> For testing what an API validates. It is signed with
          a key of this server but never issued: introspection, userinfo and token exchange reject
          it.
        </p>
        <BaseFields />
        <JsonField
          label="Header"
          description="alg and kid are added: they follow from the key."
          minRows={3}
          value={header}
          error={problems.header}
          onChange={(event) => edit({ header: event.currentTarget.value })}
        />
        <JsonField
          label="Claims"
          description="jti is added: each token has its own. Times are seconds since 1970."
          value={claims}
          error={problems.claims}
          onChange={(event) => edit({ claims: event.currentTarget.value })}
        />
        <MistakeList wrong={wrong} problem={problems.wrong} />
        <div className={classes.sign}>
          <Button
            variant="filled"
            leftSection={<IconSignature size="1.1em" aria-hidden="true" />}
            onClick={() => void signBuilt()}
            {...whileBusy(busy)}
            {...needs}
          >
            {buttonText(wrong.length)}
          </Button>
        </div>
      </div>
      {result !== null && <SignedResult result={result} />}
    </section>
  );
}
