import { ActionIcon, Button, Loader, Box, Group, Paper, Text } from '@mantine/core';
import { IconAlertTriangle, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { FaultState } from '../../../control/fault-schemas.ts';
import type { Exchange } from '../../../control/schemas.ts';
import { navigate } from '../../navigation/route.ts';
import { milliseconds } from '../../ui/short-forms.ts';
import { StatusTag, statusWords, toneOf } from '../../ui/status.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { rawResponse } from '../../exchange/raw-http.ts';
import { titleOf } from './rule-words.ts';
import { dismissFire, type Fire } from './test-fire.ts';

const SECOND_MS = 1000;

const WHAT = { flex: 1, miw: '12rem', style: { overflowWrap: 'anywhere' } } as const;

/** Seconds of machine time since then; the sandbox clock does not affect a delay. */
function useSecondsSince(since: number): number {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.floor((now - since) / SECOND_MS);
}

function Waiting({ fire }: { readonly fire: Extract<Fire, { state: 'waiting' }> }) {
  const seconds = useSecondsSince(fire.since);
  return (
    <>
      <Loader size="xs" aria-hidden="true" />
      <Box component="span" {...WHAT}>
        Sent, waiting for the response{seconds > 0 && `, ${seconds} s so far`}
      </Box>
      <Button onClick={fire.cancel}>Cancel</Button>
    </>
  );
}

/** Says which rule was applied, if any, and its effect. */
function resultWords(rule: FaultState, { fault }: Exchange): string {
  if (fault?.id === rule.id) return fault.what;
  if (fault !== null) return `“${fault.name || fault.id}” was applied instead: ${fault.what}`;
  return 'No rule was applied; this is the normal response.';
}

function Done({ rule, exchange }: { readonly rule: FaultState; readonly exchange: Exchange }) {
  const [shown, setShown] = useState(false);
  const { status, error, number, duration_ms } = exchange;
  const { head, body } = rawResponse(exchange, false);
  return (
    <>
      <StatusTag tone={toneOf(status)}>{statusWords(status)}</StatusTag>
      <Box component="span" {...WHAT}>
        {error !== null && <code>{error} </code>}
        {resultWords(rule, exchange)}
      </Box>
      <Text span ff="monospace" fz="var(--fs-xs)" c="dimmed">
        #{number}, {milliseconds(duration_ms)}
      </Text>
      {status > 0 && (
        <Button variant="subtle" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? 'Hide response' : 'Show response'}
        </Button>
      )}
      <Button variant="subtle" onClick={() => void navigate('traffic', String(number))}>
        Open in Traffic
      </Button>
      {shown && (
        <Box flex="1 0 100%" miw={0} style={{ order: 2 }}>
          <CodeBlock
            label={`response ${number}`}
            text={body === '' ? head : `${head}\n\n${body}`}
          />
        </Box>
      )}
    </>
  );
}

/** The result of testing a rule, below its row. */
export function FireResult({ rule, fire }: { readonly rule: FaultState; readonly fire: Fire }) {
  return (
    <Paper withBorder px={10} py={6} bg="var(--surface)">
      <Group
        gap="var(--s1) var(--s2)"
        fz="xs"
        role="status"
        aria-label={`Test result: ${titleOf(rule)}`}
      >
        {fire.state === 'waiting' && <Waiting fire={fire} />}
        {fire.state === 'done' && <Done rule={rule} exchange={fire.exchange} />}
        {fire.state === 'failed' && (
          <>
            <IconAlertTriangle color="var(--bad)" size="1.2em" aria-hidden="true" />
            <Box component="span" {...WHAT}>
              The test request failed. {fire.message}
            </Box>
          </>
        )}
        {fire.state !== 'waiting' && (
          <ActionIcon
            aria-label={`Dismiss the test result of ${titleOf(rule)}`}
            title="Dismiss"
            onClick={() => dismissFire(rule.id)}
          >
            <IconX size="1.1em" />
          </ActionIcon>
        )}
      </Group>
    </Paper>
  );
}
