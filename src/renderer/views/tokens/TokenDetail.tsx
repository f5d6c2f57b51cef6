import { ActionIcon, Button, Loader, Tabs, Tooltip } from '@mantine/core';
import { IconArrowLeft, IconKeyOff, IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useSandboxNow } from '../../connection/clock.ts';
import { navigate } from '../../navigation/route.ts';
import { EmptyState, PanelHead } from '../../ui/panel.tsx';
import tabs from '../../exchange/ExchangeDetail.module.css';
import inspector from '../../inspector/Inspector.module.css';
import { decodeJwt } from '../../../oauth/jwt.ts';
import { AccessTokenText } from './AccessTokenText.tsx';
import { ComparePanel } from './ComparePanel.tsx';
import { asOf } from './credential.ts';
import { KindName } from './KindName.tsx';
import { LineagePanel } from './LineagePanel.tsx';
import { ReplayAnswer } from './ReplayAnswer.tsx';
import { SecretText } from './SecretText.tsx';
import { StateTag } from './StateTag.tsx';
import { leaveReplay, readShown, useReplay } from './open-token.ts';
import type { Shown } from './token-actions.ts';
import { TokenButtons } from './TokenButtons.tsx';
import { TokenFacts } from './TokenFacts.tsx';
import classes from './Tokens.module.css';
import { useFollowed } from './use-followed.ts';
import { useTokenValue } from './use-token-value.ts';

const close = () => void navigate('tokens');

/** One credential: what it says, what is known of it, where it stands in its lineage. */
export function TokenDetail({ id }: { readonly id: string }) {
  const { value, problem } = useFollowed(id, readShown);
  const replay = useReplay(id);
  return (
    <section className={classes.detail} aria-label={`Token ${id}`}>
      {replay !== null ? (
        <ReplayAnswer replay={replay} onBack={leaveReplay} />
      ) : value !== null ? (
        <ShownToken shown={value} />
      ) : (
        <>
          <PanelHead title={<code>{id}</code>}>
            <CloseButton />
          </PanelHead>
          {problem === null ? (
            <p className={classes.loading} role="status">
              <Loader size="sm" aria-hidden="true" /> Reading {id}…
            </p>
          ) : (
            <EmptyState
              icon={<IconKeyOff size="1.6em" stroke={1.5} />}
              title={
                problem.code === 'not_found' ? 'No longer kept' : 'The token could not be loaded'
              }
              text={problem.message}
              action={
                <Button leftSection={<IconArrowLeft size="1.1em" />} onClick={close}>
                  Back to the list
                </Button>
              }
            />
          )}
        </>
      )}
    </section>
  );
}

function CloseButton() {
  return (
    <Tooltip label="Close">
      <ActionIcon aria-label="Close the token" onClick={close}>
        <IconX size="1.1em" />
      </ActionIcon>
    </Tooltip>
  );
}

function ShownToken({ shown }: { readonly shown: Shown }) {
  const now = useSandboxNow();
  const [tab, setTab] = useState<string | null>('token');
  const credential = asOf(shown.credential, now);
  const { lineage } = shown;
  const access = credential.kind === 'access_token';
  const value = useTokenValue(credential.id, access);
  const jwt = useMemo(() => (value.text === null ? null : decodeJwt(value.text)), [value.text]);
  return (
    <>
      <PanelHead
        title={<KindName kind={credential.kind} id={credential.id} />}
        note={<StateTag state={credential.state} />}
      >
        <CloseButton />
      </PanelHead>
      <TokenButtons shown={{ credential, lineage }} />
      <Tabs value={tab} onChange={setTab} keepMounted={false} className={tabs.tabs}>
        <Tabs.List>
          <Tabs.Tab value="token">Token</Tabs.Tab>
          <Tabs.Tab value="lineage">Lineage</Tabs.Tab>
          {access && <Tabs.Tab value="compare">Compare</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="token" className={tabs.panel} tabIndex={0}>
          <TokenFacts credential={credential} signed={jwt !== null} now={now} />
          <div className={inspector.inspector}>
            {access ? (
              <AccessTokenText credential={credential} value={value} jwt={jwt} now={now} />
            ) : (
              <SecretText credential={credential} />
            )}
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="lineage" className={tabs.panel} tabIndex={0}>
          <LineagePanel lineage={lineage} open={credential.id} now={now} />
        </Tabs.Panel>
        {access && (
          <Tabs.Panel value="compare" className={tabs.panel} tabIndex={0}>
            <ComparePanel name={credential.id} jwt={jwt} />
          </Tabs.Panel>
        )}
      </Tabs>
    </>
  );
}
