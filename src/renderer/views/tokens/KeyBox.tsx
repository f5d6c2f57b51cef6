import { Button, Textarea } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { isUrl, MOST_CHARACTERS } from '../../inspector/given-keys.ts';
import { control, problemOf } from '../../connection/control.ts';
import { useNeed, whileBusy } from '../../ui/use-need.ts';
import { setKeys } from './paste-store.ts';
import classes from './Tokens.module.css';

interface KeyBoxProps {
  /** As pasted; null: the keys of this server are used. */
  readonly text: string | null;
  /** Why no key can be read of it; null when one can. */
  readonly problem: string | null;
}

/** The keys to check a foreign token with: pasted, or fetched from another server on this machine. */
export function KeyBox({ text, problem }: KeyBoxProps) {
  const [busy, setBusy] = useState(false);
  const needs = useNeed('connection');
  const [refused, setRefused] = useState<string | null>(null);
  if (text === null) {
    return (
      <Button
        className={classes.otherKey}
        variant="subtle"
        leftSection={<IconKey size="1.1em" />}
        onClick={() => setKeys('')}
      >
        Verify with another key
      </Button>
    );
  }
  const change = (keys: string | null) => {
    setRefused(null);
    setKeys(keys);
  };
  const fetchKeys = async () => {
    setBusy(true);
    try {
      const { keys } = await control.keys.fetch({ url: text.trim() });
      change(JSON.stringify({ keys }, null, 2));
    } catch (error) {
      setRefused(problemOf(error).message);
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
        classNames={{ input: classes.box }}
        value={text}
        error={refused ?? (location || problem === null ? null : `The text ${problem}.`)}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <span className={classes.heldButtons}>
        {location && (
          <Button variant="filled" onClick={() => void fetchKeys()} {...whileBusy(busy)} {...needs}>
            Fetch the keys
          </Button>
        )}
        <Button onClick={() => change(null)}>Use this server’s keys</Button>
      </span>
    </>
  );
}
