// Pages of settings, keys, audiences, the workspace file and automation access. Labels, descriptions and bounds come
// from the schema of the settings; sections.ts only assigns settings to sections.

import { Stack, Box, SegmentedControl, Select, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useObstacle } from '../../connection/reach.ts';
import { useIssuer, usePage } from '../../connection/state.ts';
import { linkTo, type ViewProps } from '../../navigation/route.ts';
import { ApisSection } from './ApisSection.tsx';
import { AudiencesSection } from './AudiencesSection.tsx';
import { AutomationSection } from './AutomationSection.tsx';
import { KeysSection } from './KeysSection.tsx';
import { ShapeSection } from './ShapeSection.tsx';
import { Section, SettingRow, SwitchRow } from './Section.tsx';
import { PAGES, VALUE_SECTIONS, setting } from './sections.ts';
import { ServerSection } from './ServerSection.tsx';
import rows from '../../ui/item.module.css';
import classes from './Settings.module.css';
import { ValueSetting } from './ValueSetting.tsx';
import { WorkspaceSection } from './WorkspaceSection.tsx';
import { useSetting } from '../../actions/use-setting.ts';
import { useNeed } from '../../ui/use-need.ts';
import {
  setPreference,
  setTheme,
  THEMES,
  usePreference,
  type Theme,
} from '../../ui/preferences.ts';
import {
  notificationPermission,
  requestNotifications,
} from '../../exchange/desktop-notifications.ts';
import { appWindow, keepRunning } from '../../actions/window.ts';
import type { Settings } from '../../../control/schemas.ts';
import { attempt, changeSettings } from '../../actions/sandbox.ts';
import { newSecret } from '../../ui/random.ts';
import { CopyButton } from '../../ui/buttons.tsx';
import { REGISTRATION_MODES } from '../../../control/names.ts';

type Registration = Settings['registration'];

const MODE = setting('registration.mode', { kind: 'choice' });
const HTTPS = setting('registration.https_redirect_uris', { kind: 'switch' });
const TOKEN = setting('registration.token', {
  kind: 'text',
  placeholder: 'Generated when the mode requires one',
});

const DOCUMENTS = setting('registration.document_origins', { kind: 'switch' });
const ORIGINS = {
  ...DOCUMENTS,
  kind: 'list',
  label: 'Origins of documents',
  help: 'Where documents are fetched from, separated by spaces. Without any, only imported documents are used.',
  placeholder: 'http://localhost:8080',
  emptied: [],
} as const;

/** Whether the client_id of a client may be the URL of its metadata document, and where documents are fetched from. */
function DocumentSettings() {
  const { value, error, saved, commit } = useSetting(DOCUMENTS.path);
  const needs = useNeed('connection');
  const isOn = value !== undefined;
  return (
    <>
      <SwitchRow
        label={DOCUMENTS.label}
        help="Whether a client_id may be the URL of a client ID metadata document, as MCP clients use."
        saved={saved}
        checked={isOn}
        error={error}
        {...needs}
        onChange={(checked) => commit(checked ? [] : null)}
      />
      {isOn && <ValueSetting item={ORIGINS} />}
    </>
  );
}

/** If the mode requires a token and there is none, one is generated. */
const setMode = (mode: Registration['mode'], { token }: Registration) =>
  attempt('The mode was not changed.', () =>
    changeSettings({
      registration: mode === 'token' && token === null ? { mode, token: newSecret() } : { mode },
    }),
  );

function RegistrationSection() {
  const registration = usePage((state) => state.settings?.registration);
  const issuer = useIssuer();
  const disabled = useObstacle('connection') !== null;
  if (registration === undefined) return null;
  const { mode, token } = registration;
  return (
    <Section
      title="Client registration"
      about="Clients that register themselves (RFC 7591). They appear in Clients immediately."
      action={
        mode === 'token' && token !== null ? (
          <CopyButton value={token} label="Copy initial access token" text="Copy token" />
        ) : null
      }
    >
      <SettingRow
        label="Mode"
        help={
          <>
            {MODE.values[mode]}{' '}
            {mode !== 'off' && <code>POST {issuer.replace(/\/$/, '')}/register</code>}
          </>
        }
      >
        {(labels) => (
          <Select
            {...labels}
            data={[...REGISTRATION_MODES]}
            value={mode}
            disabled={disabled}
            onChange={(chosen) => {
              if (chosen !== null) void setMode(chosen, registration);
            }}
          />
        )}
      </SettingRow>
      <ValueSetting item={TOKEN} />
      <ValueSetting item={HTTPS} />
      <DocumentSettings />
    </Section>
  );
}

const NAMES: Record<Theme, string> = { auto: 'System', light: 'Light', dark: 'Dark' };
const DATA = THEMES.map((value) => ({ value, label: NAMES[value] }));

/** What happens to the server when the window closes. */
function KeepRunning({ window }: { readonly window: NonNullable<typeof appWindow> }) {
  const [kept, setKept] = useState<boolean | null>(null);
  useEffect(() => {
    window.settings().then(
      ({ keep_running }) => setKept(keep_running),
      // Without a response the switch stays disabled.
      () => undefined,
    );
  }, [window]);
  const change = async (wanted: boolean) => {
    if (await keepRunning(window, wanted)) setKept(wanted);
  };
  return (
    <SwitchRow
      label="Keep running when the window closes"
      help="The server keeps running. Reopen the window from the tray."
      disabled={kept === null}
      checked={kept === true}
      onChange={change}
    />
  );
}

/** Whether rejected, throttled and held requests of the app raise desktop notifications. */
function DesktopNotifications() {
  const on = usePreference('notifications');
  const [permission, setPermission] = useState(notificationPermission);
  const change = async (wanted: boolean) => {
    setPermission(wanted ? await requestNotifications() : notificationPermission());
    setPreference('notifications', wanted && notificationPermission() === 'granted');
  };
  return (
    <SwitchRow
      label="Desktop notifications"
      help={
        <>
          Notifies you when a request of your app is rejected, throttled or held while another
          window has the focus. Click a notification to open its exchange.
          <Text component="span" display="block" c="var(--bad)" inherit role="status">
            {permission === 'denied' &&
              'Notifications are denied for this page. Allow them in the browser’s settings for this site.'}
            {permission === 'unsupported' && 'This browser does not support notifications.'}
          </Text>
        </>
      }
      checked={on && permission === 'granted'}
      onChange={change}
    />
  );
}

function AppearanceSection() {
  const { theme } = usePreference('appearance');
  return (
    <Section
      title="Appearance"
      about="How this page looks and notifies you. Stored on this machine."
    >
      <SettingRow label="Theme" help="Follow the system, or always use light or dark.">
        <SegmentedControl
          aria-label="Theme"
          fullWidth
          data={DATA}
          value={theme}
          onChange={setTheme}
        />
      </SettingRow>
      <DesktopNotifications />
      {appWindow !== null && <KeepRunning window={appWindow} />}
    </Section>
  );
}

const OTHERS: Readonly<Record<string, () => React.JSX.Element | null>> = {
  server: ServerSection,
  registration: RegistrationSection,
  shape: ShapeSection,
  keys: KeysSection,
  apis: ApisSection,
  audiences: AudiencesSection,
  workspace: WorkspaceSection,
  automation: AutomationSection,
  appearance: AppearanceSection,
};

function OneSection({ id }: { readonly id: string }) {
  const known = usePage((state) => state.settings !== null);
  const values = VALUE_SECTIONS.find((section) => section.id === id);
  const Other = OTHERS[id];
  if (Other !== undefined) return <Other />;
  if (!known || values === undefined) return null;
  return (
    <Section title={values.title} about={values.about}>
      {values.items.map((setting) => (
        <ValueSetting key={setting.path} item={setting} />
      ))}
    </Section>
  );
}

export function SettingsView({ item }: ViewProps) {
  const shown = PAGES.find(({ sections }) => item !== null && sections.includes(item)) ?? PAGES[0];
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const section = content.current?.querySelector(`[data-section="${item ?? ''}"]`);
    section?.scrollIntoView({ block: 'start' });
  }, [item]);
  return (
    <div className={classes.view}>
      <Stack component="nav" className={rows.index} gap={2} px="xs" py="sm" aria-label="Settings">
        {PAGES.map((page) => (
          <a
            key={page.title}
            className={rows.item}
            aria-current={page === shown ? 'page' : undefined}
            {...linkTo('settings', page.sections[0])}
          >
            {page.title}
          </a>
        ))}
      </Stack>
      <Box className={classes.content} p={{ base: 'md', sm: 'lg' }} ref={content}>
        <Stack gap="xl">
          {shown?.sections.map((id) => (
            <div key={id} data-section={id}>
              <OneSection id={id} />
            </div>
          ))}
        </Stack>
      </Box>
    </div>
  );
}
