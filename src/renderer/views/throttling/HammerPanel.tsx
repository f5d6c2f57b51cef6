import { Select, Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconHammer } from '@tabler/icons-react';
import type { Client, Settings } from '../../../control/schemas.ts';
import { durationInWords } from '../../../words.ts';
import { requestableGrants } from '../../sending/token-steps.ts';
import { PaceCounts, PaceWay, RepetitionResult } from '../../sending/RepetitionParts.tsx';
import { useSandboxNow } from '../../connection/clock.ts';
import { usePage } from '../../connection/state.ts';
import { ExchangeLink } from '../../exchange/ExchangeLine.tsx';
import type { LimitHit } from './limit-hit.ts';
import type { Repeated } from '../../sending/repeat-request.ts';
import { useObstacle } from '../../connection/reach.ts';
import { PanelHead, Hint } from '../../ui/panel.tsx';
import {
  changeForm,
  useHammer,
  useHits,
  stopHammer,
  startHammer,
  type Chosen,
  chosenOf,
  hammerable,
} from './hammer.ts';
import { ActionButton } from '../../ui/buttons.tsx';

const CREDENTIALS = [
  { value: 'fresh', label: 'New' },
  { value: 'newest', label: 'Newest existing' },
];

interface HammerFieldsProps {
  readonly clients: readonly Client[];
  readonly chosen: Chosen;
}

function HammerFields({ clients, chosen }: HammerFieldsProps) {
  const { client, grant, pace } = chosen;
  const credential = useHammer((state) => state.form.credential);
  return (
    <SimpleGrid cols={2} spacing="sm" verticalSpacing="xs" style={{ alignItems: 'end' }}>
      <Select
        label="Client"
        searchable
        data={clients.map(({ client_id }) => client_id)}
        value={client.client_id}
        onChange={(client_id) => changeForm({ client_id, times: null })}
      />
      <Select
        label="Grant"
        data={requestableGrants(client)}
        value={grant}
        onChange={(value) => changeForm({ grant: value })}
      />
      {grant === 'refresh_token' && (
        <Select
          label="Token"
          data={CREDENTIALS}
          value={credential}
          onChange={(value) => changeForm({ credential: value === 'newest' ? 'newest' : 'fresh' })}
        />
      )}
      <div style={grant === 'refresh_token' ? {} : { gridColumn: '1 / 3' }}>
        <PaceWay form={pace} onChange={changeForm} />
      </div>
      <PaceCounts form={pace} onChange={changeForm} />
    </SimpleGrid>
  );
}

function resetWords({ resets_at }: LimitHit, now: number, frozen: boolean): string {
  if (resets_at === null) return '';
  // Retry-After is rounded up already.
  const left = Math.floor((resets_at - now) / 1000);
  if (left <= 0) return '. The window has reset since';
  return frozen
    ? '. The window does not reset while the clock is frozen'
    : `. Resets in ${durationInWords(left)}`;
}

function HitLine({ hit }: { readonly hit: LimitHit }) {
  const now = useSandboxNow();
  const frozen = usePage((state) => state.clock?.frozen === true);
  return (
    <Text size="xs" c="var(--text)">
      Throttled{hit.limit === null ? '' : ` by the limit of ${hit.limit}`}, first at{' '}
      <ExchangeLink number={hit.exchange} />
      {resetWords(hit, now, frozen)}.
    </Text>
  );
}

const ENDS: Record<Repeated['state'], string> = {
  running: '',
  done: 'All requests sent; none was throttled.',
  stopped: 'Stopped before any request was throttled.',
  failed: '',
};

function HammerResult({ repeated }: { readonly repeated: Repeated }) {
  const run = useHammer((state) => state.run);
  const hits = useHits();
  const hit = hits.findLast((one) => one.run === run);
  // The first 429 may be that of a fault rule, with throttled ones after it.
  const throttled = repeated.tally.outcomes.some(({ status }) => status === 429);
  return (
    <Stack gap="xs" fz="xs" c="dimmed">
      <RepetitionResult repeated={repeated} stop={<Button onClick={stopHammer}>Stop</Button>} />
      <div role="status">
        {hit !== undefined && <HitLine hit={hit} />}
        {!throttled && <p>{ENDS[repeated.state]}</p>}
      </div>
    </Stack>
  );
}

function hintOf(
  obstacle: string | null,
  mode: Settings['throttle']['mode'],
  code: boolean,
): string {
  if (obstacle !== null) return obstacle;
  if (mode === 'off') return 'Throttling is off: requests are neither counted nor throttled.';
  if (mode === 'observe') return 'In observe mode, requests are counted but not throttled.';
  return code
    ? 'Sends one code repeatedly. The first request gets tokens; each later one is a replay.'
    : 'Sends one request repeatedly over real HTTP.';
}

export function HammerPanel({ throttle }: { readonly throttle: Settings['throttle'] }) {
  const clients = usePage((state) => state.clients);
  const obstacle = useObstacle('server');
  const { form, repeated } = useHammer((state) => state);
  const chosen = chosenOf(form, clients, throttle);
  const busy = repeated?.state === 'running';
  return (
    <Stack component="section" gap={0} mih={0} aria-label="Hammer">
      <PanelHead title="Hammer">
        <ActionButton
          variant="filled"
          leftSection={<IconHammer />}
          needs="server"
          busy={busy}
          disabled={chosen === null}
          onClick={() => void startHammer()}
        >
          {chosen === null ? 'Send' : `Send ${chosen.pace.times.toLocaleString('en')}`}
        </ActionButton>
      </PanelHead>
      <Stack style={{ overflow: 'auto' }} gap="sm" px="md" py="sm">
        {chosen === null ? (
          <Hint>
            No client can send token requests. Register one with the refresh_token or
            client_credentials grant, or with a redirect URI.
          </Hint>
        ) : (
          <>
            {repeated !== null && <HammerResult repeated={repeated} />}
            <HammerFields clients={hammerable(clients)} chosen={chosen} />
            {(repeated === null || obstacle !== null) && (
              <Hint>{hintOf(obstacle, throttle.mode, chosen.grant === 'authorization_code')}</Hint>
            )}
          </>
        )}
      </Stack>
    </Stack>
  );
}
