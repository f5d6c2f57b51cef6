import { Box, Button, Group, Tooltip, Menu, Popover } from '@mantine/core';
import {
  IconPlayerPlay,
  IconPlayerStop,
  IconClock,
  IconSnowflake,
  IconBolt,
  IconShieldQuestion,
  IconDeviceDesktop,
  IconMoon,
  IconSun,
  type Icon,
} from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { DIALECTS, DIALECT_WORDS, PROFILES, PROFILE_WORDS } from '../../control/names.ts';
import { useReach } from '../connection/reach.ts';
import { usePage } from '../connection/state.ts';
import { ActionButton, CopyButton } from '../ui/buttons.tsx';
import { startServer, stopServer, setDialect, setProfile } from '../actions/sandbox.ts';
import { useNeed } from '../ui/use-need.ts';
import { profileReach } from '../ui/short-forms.ts';
import { grouped, pluralize } from '../../words.ts';
import { offsetInWords, timeOfDay, useSandboxNow } from '../connection/clock.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { linkTo, type View } from '../navigation/route.ts';
import { isActive } from '../views/faults/rule-words.ts';
import { lastSeconds, type Whose } from '../connection/rates.ts';
import { setTheme, THEMES, usePreference, type Theme } from '../ui/preferences.ts';
import { keysOf } from '../navigation/command.ts';
import { openPalette } from './dialogs.ts';
import classes from './TopBar.module.css';

const WORDS = {
  running: 'Running',
  stopped: 'Stopped',
  failed: 'Failed',
  unknown: 'Unknown',
} as const;

function ServerPill() {
  const issuer = usePage((state) => state.server?.issuer);
  const state = useReach((reach) => reach.server);
  if (issuer === undefined) return null;
  return (
    <span className={`${classes.pill} ${classes.server}`}>
      <span className={classes.dot} data-state={state} aria-hidden="true" />
      <b role="status">{WORDS[state]}</b>
      <code className={classes.url} title={issuer}>
        {issuer}
      </code>
      <CopyButton value={issuer} label="Copy base URL" />
    </span>
  );
}

function StartStop() {
  const state = useReach((reach) => reach.server);
  const running = state === 'running';
  const label =
    state === 'unknown' ? 'Start or stop server' : running ? 'Stop server…' : 'Start server';
  const Shape = running ? IconPlayerStop : IconPlayerPlay;
  return (
    <Tooltip label={label} disabled={state === 'unknown'}>
      <ActionButton
        px="xs"
        aria-label={label}
        needs="connection"
        classNames={{ label: classes.iconAndWord }}
        run={running ? stopServer : startServer}
      >
        <Shape size="1.1em" stroke={1.8} aria-hidden="true" />
        {state !== 'unknown' && (running ? 'Stop' : 'Start')}
      </ActionButton>
    </Tooltip>
  );
}

interface ChoiceProps<T extends string> {
  /** The heading over the names with their words; absent where the menu is this choice alone, with the words only. */
  readonly label?: string;
  readonly names: readonly T[];
  readonly words: Record<T, string>;
  readonly value: T;
  readonly pick: (name: T) => unknown;
}

function Choice<T extends string>({ label, names, words, value, pick }: ChoiceProps<T>) {
  const choose = (wanted: string) => {
    const name = names.find((known) => known === wanted);
    if (name !== undefined) pick(name);
  };
  return (
    <>
      {label !== undefined && <Menu.Label>{label}</Menu.Label>}
      <Menu.RadioGroup value={value} onChange={choose}>
        {names.map((name) => (
          <Menu.RadioItem key={name} value={name} closeMenuOnClick>
            {label !== undefined && <b>{name}</b>}
            {label === undefined ? words[name] : <p>{words[name]}</p>}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

/** The workspace's profile and dialect, the clients that use the profile, and a menu to change either. */
function ProfileMenu() {
  const profile = usePage((state) => state.settings?.profile);
  const dialect = usePage((state) => state.settings?.dialect);
  const needs = useNeed('connection');
  const reach = usePage(({ clients, settings }) =>
    settings === null ? '' : profileReach(clients, settings.profile),
  );
  if (profile === undefined || dialect === undefined) return null;
  return (
    <Menu position="bottom-start" width="20rem">
      <Menu.Target>
        <button
          type="button"
          className={classes.pill}
          aria-label={`Profile: ${[profile, reach].join(' ').trim()}, dialect: ${dialect}`}
          {...needs}
        >
          <span className={classes.minor}>Profile</span>
          <b>{profile}</b>
          {reach !== '' && <span>{reach}</span>}
          {dialect !== 'rfc6749' && <span className={classes.minor}>· {dialect}</span>}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Choice
          label="Profile: how strictly requests are validated, unless a client has its own"
          names={PROFILES}
          words={PROFILE_WORDS}
          value={profile}
          pick={setProfile}
        />
        <Menu.Divider />
        <Choice
          label="Dialect: how errors look on the wire"
          names={DIALECTS}
          words={DIALECT_WORDS}
          value={dialect}
          pick={setDialect}
        />
      </Menu.Dropdown>
    </Menu>
  );
}

const ClockControl = lazyPart(
  async () => (await import('./ClockControl.tsx')).ClockControl,
  () => <div aria-busy="true" />,
);

/** Shows whether the sandbox clock is real, frozen or offset, and opens its control. */
function ClockPill() {
  const clock = usePage((state) => state.clock);
  const now = useSandboxNow();
  const [opened, setOpened] = useState(false);
  const live = useReach((reach) => reach.live);
  const needs = useNeed('connection');
  if (clock === null) return null;
  const Shape = clock.frozen ? IconSnowflake : IconClock;
  const offset = offsetInWords(clock.offset_seconds);
  const state = clock.frozen ? 'frozen' : (offset ?? 'real');
  return (
    <Popover
      opened={opened && live}
      onChange={setOpened}
      position="bottom-start"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.pill}
          onClick={() => setOpened(!opened)}
          aria-label={`Clock: ${state}`}
          {...needs}
        >
          <Shape size="1.1em" stroke={1.8} aria-hidden="true" />
          <span className={classes.minor}>Clock</span>
          <b>{state}</b>
          {live && (clock.frozen || offset !== null) && (
            <span className={classes.minor}>· {timeOfDay(now)}</span>
          )}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Sandbox clock">
        <ClockControl clock={clock} now={now} />
      </Popover.Dropdown>
    </Popover>
  );
}

interface NoticePillProps {
  /** Where it can be ended. */
  readonly view: View;
  readonly icon: Icon;
  readonly words: string;
  /** The effect, for the title: "responses may be rejected". */
  readonly effect: string;
  readonly children: ReactNode;
}

/** Shown while something explains unusual responses. */
function NoticePill({ view, icon: Shape, words, effect, children }: NoticePillProps) {
  return (
    <a
      {...linkTo(view)}
      className={`${classes.pill} ${classes.faults}`}
      aria-label={words}
      title={`${words}${effect}`}
    >
      <Shape size="1.1em" stroke={1.8} aria-hidden="true" />
      {children}
    </a>
  );
}

function CheckPill() {
  const title = usePage((state) => state.client_check?.title ?? null);
  const live = useReach((reach) => reach.live);
  if (title === null || !live) return null;
  return (
    <NoticePill
      view="check"
      icon={IconShieldQuestion}
      words={`Client check active: ${title}`}
      effect=". The server misbehaves on purpose."
    >
      <span>Check</span>
    </NoticePill>
  );
}

function FaultsPill() {
  const active = usePage((state) => state.faults.filter(isActive).length);
  if (active === 0) return null;
  return (
    <NoticePill
      view="faults"
      icon={IconBolt}
      words={`${pluralize(active, 'fault')} active`}
      effect=": responses may be rejected, delayed or changed"
    >
      <b>{grouped(active)}</b>
      <span className={classes.minor}>
        {active === 1 ? 'fault' : 'faults'}
        <span className={classes.least}> active</span>
      </span>
    </NoticePill>
  );
}

const WIDTH = 92;
const HEIGHT = 22;
const INSET = 2;
const SECONDS = 60;

/** The points of a line through the rates; the newest is at the right edge. */
function sparkPoints(rates: readonly number[]): string {
  const top = Math.max(1, ...rates);
  const step = WIDTH / (SECONDS - 1);
  const y = (rate: number) => HEIGHT - INSET - (rate / top) * (HEIGHT - 2 * INSET);
  return rates.map((rate, index) => `${(index * step).toFixed(1)},${y(rate).toFixed(1)}`).join(' ');
}

const TITLES: Record<Whose, string> = {
  app: 'App requests per second, without Grantbench’s own',
  all: 'Requests per second, including Grantbench’s own',
};

function RateSparkline() {
  const whose = usePreference('whose');
  const live = useReach((reach) => reach.live);
  const known = usePage(({ rates }) => rates);
  if (!live || known === null) return <span className={classes.rate} />;
  // Complete seconds only: the current one has not had all its requests.
  const over = lastSeconds(known, SECONDS + 1).slice(0, -1);
  const rates = over.map((second) => (whose === 'app' ? second.app : second).requests);
  const now = grouped(rates.at(-1) ?? 0);
  return (
    <span className={classes.rate}>
      <svg
        className={classes.spark}
        width={WIDTH}
        height={HEIGHT}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="xMaxYMid slice"
        aria-hidden="true"
      >
        <polyline
          points={sparkPoints(rates)}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="1.5"
        />
      </svg>
      <span className={classes.now} title={TITLES[whose]}>
        {now} req/s
      </span>
    </span>
  );
}

const THEME_NAMES: Record<Theme, string> = { auto: 'System', light: 'Light', dark: 'Dark' };
const ICONS = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon };

function ThemeMenu() {
  const { theme } = usePreference('appearance');
  const Shape = ICONS[theme];
  const label = `Theme: ${THEME_NAMES[theme]}`;
  return (
    <Menu position="bottom-end">
      <Tooltip label={label}>
        <Menu.Target>
          <Button
            variant="subtle"
            px="xs"
            aria-label={label}
            classNames={{ label: classes.iconAndWord }}
          >
            <Shape size="1.2em" aria-hidden="true" />
            <span className={classes.least}>Theme</span>
          </Button>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        <Choice names={THEMES} words={THEME_NAMES} value={theme} pick={setTheme} />
      </Menu.Dropdown>
    </Menu>
  );
}

export function TopBar() {
  const known = usePage((state) => state.server !== null);
  return (
    <Group
      component="header"
      className={classes.bar}
      gap="xs"
      wrap="nowrap"
      miw={0}
      px="md"
      bg="var(--surface)"
    >
      <Group component="span" className={classes.brand} gap="xs" wrap="nowrap">
        <span className={classes.mark} aria-hidden="true">
          g
        </span>
        <span className={classes.name}>Grantbench</span>
      </Group>
      {known && (
        <>
          <ServerPill />
          <StartStop />
          <ProfileMenu />
          <ClockPill />
          <CheckPill />
          <FaultsPill />
        </>
      )}
      <Box flex={1} />
      {known && <RateSparkline />}
      <button
        type="button"
        className={classes.pill}
        onClick={openPalette}
        aria-label="Command palette"
        aria-keyshortcuts="Control+K Meta+K"
      >
        <span className={classes.words}>Search or run</span>
        <kbd>{keysOf('mod+K')}</kbd>
      </button>
      <ThemeMenu />
    </Group>
  );
}
