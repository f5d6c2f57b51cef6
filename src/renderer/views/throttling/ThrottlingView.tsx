// The limit, the counters with their throttled requests, redundant token requests, the rate over time, and bursts of
// requests. It reads the counters over the control API and never counts requests itself.

import {
  Button,
  Switch,
  Tooltip,
  Input,
  NumberInput,
  SegmentedControl,
  Tabs,
  Box,
  Group,
  Stack,
  Text,
} from '@mantine/core';
import { IconGauge, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState, useMemo } from 'react';
import { fieldAt } from '../../../control/fields.ts';
import { settingsSchema, type Settings, type Counter } from '../../../control/schemas.ts';
import { THROTTLE_MODES } from '../../../control/names.ts';
import { EmptyState, PanelHead, SavedMark } from '../../ui/panel.tsx';
import { toggleWhose, usePreference } from '../../ui/preferences.ts';
import { useSetting, useTypedSetting } from '../../actions/use-setting.ts';
import { numberField } from '../../ui/number-field.tsx';
import { useNeed } from '../../ui/use-need.ts';
import { Cited } from '../../ui/links.tsx';
import { useObstacle, useReach } from '../../connection/reach.ts';
import { attempt, resetCounters } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { navigate, type ViewProps } from '../../navigation/route.ts';
import { page, usePage } from '../../connection/state.ts';
import { filtered } from '../../ui/grid/arrange.ts';
import { FilterField, NoMatch } from '../../ui/grid/FilterField.tsx';
import { notify } from '../../ui/notify.tsx';
import { HEADER_SETTINGS } from './header-settings.ts';
import { hammerable, startHammer, useHits } from './hammer.ts';
import { AdvisoryPanel, useAdvisories } from './AdvisoryPanel.tsx';
import { CounterTable, counterText } from './CounterTable.tsx';
import { HammerPanel } from './HammerPanel.tsx';
import { RateChart } from './RateChart.tsx';
import panel from '../../ui/panel.module.css';
import classes from './Throttling.module.css';
import { ActionButton, Disclose } from '../../ui/buttons.tsx';
import { useReducedMotion } from '@mantine/hooks';
import { RATE_SECONDS } from '../../../control/topics.ts';
import { lastSeconds, type Rates } from '../../connection/rates.ts';
import { marksOf, chartWords, periodWords, secondWords, sumOf, totalsOf } from './rate-data.ts';

// The request rate over time, computed from the feed. It stores no history of its own.

/** With reduced motion, the chart advances in steps of this length. */
const STEP_SECONDS = 5;

/** The rates to draw: the newest ones or, with reduced motion, those of the last step. */
function useDrawn(rates: Rates): Rates {
  const reducedMotion = useReducedMotion();
  const [drawn, setDrawn] = useState(rates);
  const passed = Math.abs(rates.second - drawn.second);
  const due = rates !== drawn && (!reducedMotion || passed >= STEP_SECONDS);
  if (due) setDrawn(rates);
  return due ? rates : drawn;
}

interface CountsProps {
  readonly whose: 'app' | 'own';
  readonly name: string;
  readonly counts: { readonly allowed: number; readonly throttled: number };
}

const Counts = ({ whose, name, counts: { allowed, throttled } }: CountsProps) => (
  <span data-whose={whose}>
    {name}: <span data-kind="allowed">Allowed</span> <b>{allowed.toLocaleString('en')}</b>{' '}
    <span data-kind="throttled">Throttled</span> <b>{throttled.toLocaleString('en')}</b>
  </span>
);

function RateFigure({ rates, paused }: { readonly rates: Rates; readonly paused: boolean }) {
  const [point, setPoint] = useState<number | null>(null);
  const lost = useReach(({ live }) => !live);
  const hits = useHits();
  const clock = usePage((state) => state.clock);
  const drawn = useDrawn(rates);
  const seconds = useMemo(() => lastSeconds(rates, RATE_SECONDS), [rates]);
  const shown = useMemo(() => lastSeconds(drawn, RATE_SECONDS), [drawn]);
  const marks = useMemo(() => marksOf(hits, clock, drawn.known_ms), [hits, clock, drawn]);
  const { app, own } = totalsOf(seconds);
  const end = paused ? 'paused' : lost ? 'lost' : 'now';
  return (
    <Stack
      component="figure"
      flex={1}
      mih={0}
      gap={4}
      m={0}
      p="var(--s2) var(--s4) var(--s3) var(--s2)"
    >
      <Box flex="1 1 var(--chart)" mih={60} role="img" aria-label={chartWords(seconds, marks, end)}>
        <RateChart seconds={shown} {...{ marks, end, point }} onPoint={setPoint} />
      </Box>
      <Group
        component="figcaption"
        className={`${classes.legend} figures`}
        gap="var(--s1) var(--s4)"
        pl="xs"
        fz="xs"
        c="dimmed"
      >
        <Counts whose="app" name="App" counts={app} />
        {sumOf(own) > 0 && <Counts whose="own" name="Grantbench’s own" counts={own} />}
        <Text span inherit ml="auto">
          {point === null ? periodWords(end) : secondWords(shown, point)}
        </Text>
      </Group>
    </Stack>
  );
}

/** Token requests per second, allowed below throttled, with marks where the hammer hit the limit. */
function RatePanel() {
  const rates = usePage((state) => state.rates);
  const [paused, setPaused] = useState<Rates | null>(null);
  const [word, Icon] =
    paused === null ? (['Pause', IconPlayerPause] as const) : (['Resume', IconPlayerPlay] as const);
  return (
    <Stack component="section" gap={0} miw={0} mih={0} aria-label="Allowed and throttled">
      <PanelHead title="Per second" note="counted token requests">
        <Button
          variant="subtle"
          leftSection={<Icon />}
          aria-label={`${word} the chart`}
          onClick={() => setPaused(paused === null ? rates : null)}
        >
          {word}
        </Button>
      </PanelHead>
      {rates !== null && <RateFigure rates={paused ?? rates} paused={paused !== null} />}
    </Stack>
  );
}

function NoCounters({ off }: { readonly off: boolean }) {
  const isUseless = usePage(({ clients }) => hammerable(clients).length === 0);
  return off ? (
    <EmptyState
      icon={IconGauge}
      title="Throttling is off"
      text="Requests are not counted. Choose observe or enforce above to see every code and refresh token listed here."
    />
  ) : (
    <EmptyState
      icon={IconGauge}
      title="No counters"
      text="Each code or refresh token gets a row per client IP when it is used, which shows how much of the limit is used, when it resets, and how many requests were throttled. The hammer above repeats one request to exceed the limit."
      action={
        <ActionButton disabled={isUseless} onClick={() => void startHammer()} needs="server">
          Start the hammer
        </ActionButton>
      }
    />
  );
}

/** Whether the request rate and the advisories include requests from Grantbench itself. */
function OwnSwitch() {
  const whose = usePreference('whose');
  return (
    <Tooltip
      refProp="rootRef"
      label="Requests from the workbench, commands and scenarios. The throttle counts every request."
    >
      <Switch
        size="xs"
        label="Include Grantbench’s own"
        checked={whose === 'all'}
        onChange={toggleWhose}
      />
    </Tooltip>
  );
}

const MODE = fieldAt(settingsSchema, 'throttle.mode');
const LIMIT = numberField(settingsSchema, 'throttle.limit');
const WINDOW = numberField(settingsSchema, 'throttle.window_seconds');

interface LimitFieldProps {
  readonly about: ReturnType<typeof numberField>;
  readonly suffix: string;
  readonly setting: ReturnType<typeof useTypedSetting>;
}

const LimitField = ({ about, suffix, setting }: LimitFieldProps) => (
  <NumberInput
    w={150}
    {...about}
    {...setting.field}
    suffix={suffix}
    thousandSeparator=","
    allowDecimal={false}
    onChange={setting.setTyped}
  />
);

function ItemSwitch({ path, label, help }: (typeof HEADER_SETTINGS)[number]) {
  const needs = useNeed('connection');
  const { value, error, saved, commit } = useSetting(path);
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Switch
        label={label}
        description={help}
        checked={value === true}
        error={error}
        {...needs}
        onChange={(event) => void commit(event.currentTarget.checked)}
      />
      <SavedMark saved={saved} />
    </Group>
  );
}

interface ThrottleSettingsProps {
  readonly throttle: Settings['throttle'];
  readonly unfolded: boolean;
}

/** The current limit, with the fields that change it. */
function ThrottleSettings({ throttle, unfolded }: ThrottleSettingsProps) {
  const disabled = useObstacle('connection') !== null;
  const mode = useSetting('throttle.mode');
  const limit = useTypedSetting('throttle.limit', Number);
  const window = useTypedSetting('throttle.window_seconds', Number);
  const [opened, setOpened] = useState(unfolded);
  return (
    <Box
      component="section"
      className={panel.bar}
      px="md"
      py="sm"
      bg="var(--surface)"
      aria-label="Limit"
    >
      <Group align="flex-start" gap="var(--s3) var(--s4)">
        <Input.Wrapper label={MODE.label} labelElement="div" error={mode.error}>
          <SegmentedControl
            aria-label={MODE.label}
            value={throttle.mode}
            disabled={disabled}
            onChange={(chosen) => void mode.commit(chosen)}
            data={THROTTLE_MODES.map((value) => ({ value, label: value }))}
          />
        </Input.Wrapper>
        <LimitField about={LIMIT} suffix=" requests" setting={limit} />
        <LimitField about={WINDOW} suffix=" s" setting={window} />
        <Box component="span" pb="xs" style={{ alignSelf: 'end' }}>
          <SavedMark saved={mode.saved || limit.saved || window.saved} />
        </Box>
        <Stack flex={1} align="flex-start" gap={4} miw="16rem" maw="75ch" fz="xs" c="dimmed">
          <p>{MODE.values[throttle.mode]}</p>
          <Disclose opened={opened} onToggle={() => setOpened(!opened)}>
            How requests are counted, and headers
          </Disclose>
        </Stack>
      </Group>
      {opened && (
        <Stack gap="sm" mt="sm" maw="75ch" fz="xs">
          <Text inherit c="dimmed">
            Requests are counted for each code or refresh token and client IP, after the client and
            the required fields are checked, in a fixed window that starts with the first counted
            request. A client can have its own limit in its settings.{' '}
            <Cited text="behaviour 5.1, spec 8.1" />
          </Text>
          {HEADER_SETTINGS.map((item) => (
            <ItemSwitch key={item.path} {...item} />
          ))}
        </Stack>
      )}
    </Box>
  );
}

const ADVISORIES = 'advisories';
/** The item of the route that unfolds the headers. */
const HEADERS = 'headers';

const reset = ({ id, credential }: Counter) =>
  attempt('The counter was not reset.', async () => {
    await control.throttle.release({ id });
    page.setState(({ counters }) => ({
      counters: counters.filter((counter) => counter.id !== id),
    }));
    notify(`Counter reset for ${credential}`);
  });

function Tally({ of }: { readonly of: number }) {
  return of === 0 ? null : (
    <Text span inherit className="figures" ml={6} c="dimmed">
      {of.toLocaleString('en')}
    </Text>
  );
}

interface CountersProps {
  readonly text: string;
  readonly mode: 'off' | 'observe' | 'enforce';
}

function Counters({ text, mode }: CountersProps) {
  const counters = usePage((state) => state.counters);
  if (counters.length === 0) return <NoCounters off={mode === 'off'} />;
  const shown = filtered(counters, text, counterText);
  if (shown.length === 0) return <NoMatch what="counters" text={text} />;
  return (
    <CounterTable
      counters={shown}
      enforced={mode === 'enforce'}
      onReset={(counter) => void reset(counter)}
    />
  );
}

/** The limit, its counters, the rate of requests and the advisories. */
export function ThrottlingView({ item }: ViewProps) {
  const count = usePage((state) => state.counters.length);
  const throttle = usePage((state) => state.settings?.throttle);
  const advisories = useAdvisories();
  const [text, setText] = useState('');
  if (throttle === undefined) return null;
  const tab = item === ADVISORIES ? ADVISORIES : 'counters';
  return (
    <div className={classes.view}>
      <ThrottleSettings
        key={String(item === HEADERS)}
        throttle={throttle}
        unfolded={item === HEADERS}
      />
      <div className={classes.live}>
        <RatePanel />
        <HammerPanel throttle={throttle} />
      </div>
      <Tabs
        value={tab}
        onChange={(name) => void navigate('throttling', name === ADVISORIES ? name : null)}
        keepMounted={false}
        flex="1 0 var(--list)"
        styles={{ panel: { display: 'flex', flexDirection: 'column' } }}
      >
        <Group className={`${panel.bar} ${classes.head}`} gap={0} wrap="nowrap">
          <Tabs.List aria-label="Counters and advisories">
            <Tabs.Tab value="counters">
              Counters
              <Tally of={count} />
            </Tabs.Tab>
            <Tabs.Tab value={ADVISORIES}>
              Advisories
              <Tally of={advisories.known?.clients.length ?? 0} />
            </Tabs.Tab>
          </Tabs.List>
          {tab === 'counters' && count > 0 && (
            <Group gap="xs" wrap="nowrap" ml="auto" px="md">
              <FilterField what="counters" text={text} onText={setText} />
              <ActionButton onClick={() => void resetCounters()} needs="connection">
                Reset all…
              </ActionButton>
            </Group>
          )}
          {tab === ADVISORIES && (
            <Box ml="auto" px="md">
              <OwnSwitch />
            </Box>
          )}
        </Group>
        <Tabs.Panel value="counters">
          <Counters text={text} mode={throttle.mode} />
        </Tabs.Panel>
        <Tabs.Panel value={ADVISORIES}>
          <AdvisoryPanel advisories={advisories} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}
