import { ActionIcon, Tabs, Tooltip } from '@mantine/core';
import { IconLock, IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { navigate } from '../../navigation/route.ts';
import { PanelHead } from '../../ui/panel.tsx';
import inspector from '../../inspector/Inspector.module.css';
import { jwtOf, type ReadToken } from '../../../oauth/jwt.ts';
import { TokenReading } from '../../inspector/TokenReading.tsx';
import { readKeys } from '../../inspector/given-keys.ts';
import { keysGiven } from '../../inspector/signature.ts';
import { ChangeButton } from './build/ChangeButton.tsx';
import { ComparePanel } from './ComparePanel.tsx';
import { KeyBox } from './KeyBox.tsx';
import { OwnToken } from './OwnToken.tsx';
import { PasteBox } from './PasteBox.tsx';
import { usePasted } from './paste-store.ts';
import classes from './Tokens.module.css';

const READ_AS: Record<ReadToken['kind'], string> = {
  nothing: '',
  opaque: 'Opaque: there is nothing to decode',
  neither: 'Not a token',
  jwe: 'Decoded as an encrypted token (JWE)',
  jws: 'Decoded as a signed token (JWS)',
};

const TORN = 'It looks like a signed token (JWS), but not all of it can be decoded';

const close = () => void navigate('tokens');

/** Any pasted token: decoded here, sent nowhere. */
export function PastePane() {
  const { text, clean, read, keys } = usePasted();
  const jwt = useMemo(() => jwtOf(read), [read]);
  const given = useMemo(() => readKeys(keys ?? '', jwt?.header.alg), [keys, jwt]);
  const known = useMemo(
    () => ('keys' in given && given.keys.length > 0 ? keysGiven(given.keys) : null),
    [given],
  );
  const [tab, setTab] = useState<string | null>('token');
  return (
    <section className={`${classes.detail} ${classes.pasting}`} aria-label="Inspect a token">
      <PanelHead title="Inspect a token">
        <Tooltip label="Close">
          <ActionIcon aria-label="Close the inspector" onClick={close}>
            <IconX size="1.1em" />
          </ActionIcon>
        </Tooltip>
      </PanelHead>
      <div className={classes.paste}>
        <PasteBox text={text} />
        <p className={classes.note}>
          <IconLock aria-hidden="true" /> What you paste stays in this page and is sent nowhere.{' '}
          <span role="status">
            {read.kind === 'jws' && jwt === null ? TORN : READ_AS[read.kind]}
            {clean.removed.length > 0 && `; removed: ${clean.removed.join(', ')}`}
            {read.kind !== 'nothing' && '.'}
          </span>
        </p>
        {jwt !== null && <ChangeButton jwt={jwt} />}
        {jwt !== null && <KeyBox text={keys} problem={'problem' in given ? given.problem : null} />}
      </div>
      <Tabs value={tab} onChange={setTab} keepMounted={false} className={classes.reading}>
        <Tabs.List>
          <Tabs.Tab value="token">Token</Tabs.Tab>
          <Tabs.Tab value="compare">Compare</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="token">
          <div className={inspector.inspector}>
            {read.kind === 'nothing' ? <Hint /> : null}
            {jwt !== null && <OwnToken token={clean.token} jwt={jwt} />}
            <TokenReading token={clean.token} read={read} keys={known} />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="compare">
          <ComparePanel name="pasted" jwt={jwt} />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}

function Hint() {
  return (
    <p className={inspector.opaque}>
      Paste any JWT above, this server’s or a foreign one: alone, in quotes, after “Bearer”, broken
      over lines, or inside a JSON token response. Its signature is checked with this server’s keys,
      or with a key that you give, and its times with the sandbox clock.
    </p>
  );
}
