import { Button, Textarea, Tabs, Group, Paper, Stack } from '@mantine/core';
import { useCallback, type ClipboardEvent, useState, useMemo } from 'react';
import { IconKey, IconArrowRight, IconLock } from '@tabler/icons-react';
import { type DecodedJwt, jwtOf, type ReadToken } from '../../../oauth/jwt.ts';
import { ActionButton, CopyButton } from '../../ui/buttons.tsx';
import { isUrl, MOST_CHARACTERS, readKeys } from '../../inspector/given-keys.ts';
import { control, problemOf } from '../../connection/control.ts';
import { hrefOf } from '../../navigation/route.ts';
import { useSandboxNow } from '../../connection/clock.ts';
import { useIssuer, usePage } from '../../connection/state.ts';
import { PanelHead, Hint } from '../../ui/panel.tsx';
import { ToneLine } from '../../ui/status.tsx';
import { TokenReading } from '../../inspector/TokenReading.tsx';
import { keysGiven } from '../../inspector/signature.ts';
import inspector from '../../inspector/Inspector.module.css';
import { MOST_EDITABLE, setPasted, setKeys, usePasted } from './paste-store.ts';
import { asOf } from './credential.ts';
import { ownId } from './token-actions.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { ChangeButton } from './BuildPane.tsx';
import { ComparePanel } from './ComparePanel.tsx';
import { By, CloseButton } from './TokenLabels.tsx';
import form from '../../ui/form.module.css';
import split from '../../ui/split.module.css';
import classes from './Tokens.module.css';

const PREVIEW = 240;

/** The text box for a token. A text of megabytes is not put into it, because that would block the page. */
function PasteBox({ text }: { readonly text: string }) {
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const pasted = event.clipboardData.getData('text/plain');
    if (text.length + pasted.length <= MOST_EDITABLE) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    setPasted(text.slice(0, selectionStart) + pasted + text.slice(selectionEnd));
  };
  if (text.length > MOST_EDITABLE) {
    return (
      <Paper withBorder p="sm" role="group" aria-label="Token">
        <p className={inspector.encoded}>{text.slice(0, PREVIEW)}…</p>
        <Hint my="xs">{text.length.toLocaleString('en')} characters, too many to edit here.</Hint>
        <Group gap="xs">
          <CopyButton value={text} label="Copy the pasted text" text="Copy" />
          <Button onClick={() => setPasted('')} autoFocus>
            Clear
          </Button>
        </Group>
      </Paper>
    );
  }
  return (
    <Textarea
      label="Token"
      placeholder="eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJpc3MiOi…"
      autosize
      minRows={4}
      maxRows={7}
      spellCheck={false}
      autoFocus
      classNames={{ input: 'mono' }}
      value={text}
      onPaste={paste}
      onChange={(event) => setPasted(event.currentTarget.value)}
    />
  );
}

interface KeyBoxProps {
  /** The pasted text; null while the keys of this server are used. */
  readonly text: string | null;
  /** Why the text contains no key; null when it contains one. */
  readonly problem: string | null;
}

/** The keys that verify a token of another issuer: pasted, or fetched from another server on this machine. */
function KeyBox({ text, problem }: KeyBoxProps) {
  const [busy, setBusy] = useState(false);
  const [rejection, setRejection] = useState<string | null>(null);
  if (text === null) {
    return (
      <Button
        className={form.start ?? ''}
        ml={-12}
        variant="subtle"
        leftSection={<IconKey />}
        onClick={() => setKeys('')}
      >
        Verify with another key
      </Button>
    );
  }
  const change = (keys: string | null) => {
    setRejection(null);
    setKeys(keys);
  };
  const fetchKeys = async () => {
    setBusy(true);
    try {
      const { keys } = await control.keys.fetch({ url: text.trim() });
      change(JSON.stringify({ keys }, null, 2));
    } catch (error) {
      setRejection(problemOf(error).message);
    } finally {
      setBusy(false);
    }
  };
  const location = isUrl(text.trim());
  return (
    <>
      <Textarea
        label="Key to verify with"
        description="A JWK or JWK Set, a public key or certificate (PEM), the secret of an HS256 token, or the URL of a JWK Set on this machine."
        autosize
        minRows={3}
        maxRows={7}
        maxLength={MOST_CHARACTERS}
        spellCheck={false}
        autoFocus
        classNames={{ input: 'mono' }}
        value={text}
        error={rejection ?? (location || problem === null ? null : `The text ${problem}.`)}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <Group gap="xs">
        {location && (
          <ActionButton
            variant="filled"
            onClick={() => void fetchKeys()}
            busy={busy}
            needs="connection"
          >
            Fetch the keys
          </ActionButton>
        )}
        <Button onClick={() => change(null)}>Use this server’s keys</Button>
      </Group>
    </>
  );
}

/** Says whether this server issued the pasted token. Looks up its id, and compares the texts in the page. */
function OwnToken({ token, jwt }: { readonly token: string; readonly jwt: DecodedJwt }) {
  const issuer = useIssuer();
  const id = ownId(jwt, issuer);
  const read = useCallback(() => control.tokens.get({ id: id ?? '', secrets: true }), [id]);
  const revision = usePage((state) => state.credentials_revision);
  const now = useSandboxNow();
  const loaded = useLoaded(id === null ? null : read, revision, id).known;
  if (loaded === null || loaded.value !== token) return null;
  const record = asOf(loaded, now);
  return (
    <Hint>
      Issued here as{' '}
      <a className="mono" href={hrefOf('tokens', record.id)}>
        access token {record.id} <IconArrowRight size="1em" aria-hidden="true" />
      </a>
      <By exchange={record.issued_by} otherwise=", issued directly" />.{' '}
      {record.state === 'inactive'
        ? 'Its key was retired or the issuer has changed, so this server does not accept it (behaviour 4.3).'
        : `It is ${record.state}.`}
    </Hint>
  );
}

const READ_AS: Record<ReadToken['kind'], string> = {
  nothing: '',
  opaque: 'Opaque: there is nothing to decode',
  neither: 'Not a token',
  jwe: 'Decoded as an encrypted token (JWE)',
  jws: 'Decoded as a signed token (JWS)',
};

const TORN = 'This looks like a signed token (JWS), but cannot be decoded completely';

/** Decodes any pasted token in the page, without sending it. */
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
    <section className={`${split.editor} ${classes.pane}`} aria-label="Inspect a token">
      <PanelHead title="Inspect a token">
        <CloseButton what="inspector" />
      </PanelHead>
      <Stack gap="xs" px="md" py="sm">
        <PasteBox text={text} />
        <ToneLine tone="muted" icon={IconLock}>
          What you paste stays in this page and is never sent.{' '}
          <span role="status">
            {read.kind === 'jws' && jwt === null ? TORN : READ_AS[read.kind]}
            {clean.removed.length > 0 && `; removed: ${clean.removed.join(', ')}`}
            {read.kind !== 'nothing' && '.'}
          </span>
        </ToneLine>
        {jwt !== null && <ChangeButton jwt={jwt} />}
        {jwt !== null && <KeyBox text={keys} problem={'problem' in given ? given.problem : null} />}
      </Stack>
      <Tabs value={tab} onChange={setTab} keepMounted={false} flex="none">
        <Tabs.List>
          <Tabs.Tab value="token">Token</Tabs.Tab>
          <Tabs.Tab value="compare">Compare</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="token">
          <Stack gap="sm" px="md" pt="sm" pb="md">
            {read.kind === 'nothing' && (
              <Hint>
                Paste a JWT from this server or another issuer: alone, in quotes, after “Bearer”,
                split over several lines, or inside a JSON token response. Its signature is verified
                with this server’s keys or with a key that you provide, and its times with the
                sandbox clock.
              </Hint>
            )}
            {jwt !== null && <OwnToken token={clean.token} jwt={jwt} />}
            <TokenReading token={clean.token} read={read} keys={known} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="compare">
          <ComparePanel name="pasted" jwt={jwt} />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}
