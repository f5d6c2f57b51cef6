import { Select } from '@mantine/core';
import type { Settings } from '../../../control/schemas.ts';
import { REGISTRATION_MODES } from '../../../control/names.ts';
import { attempt, changeSettings } from '../../actions/sandbox.ts';
import { newSecret } from '../../ui/random.ts';
import { usePage } from '../../connection/state.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Section, SettingRow } from './Section.tsx';
import { setting } from './sections.ts';
import { ValueSetting } from './ValueSetting.tsx';

type Registration = Settings['registration'];

const MODE = setting('registration.mode', { kind: 'choice' });
const TOKEN = setting('registration.token', {
  kind: 'text',
  placeholder: 'Generated when the mode requires one',
});

/** If the mode requires a token and there is none, one is generated. */
const setMode = (mode: Registration['mode'], { token }: Registration) =>
  attempt('The mode was not changed.', () =>
    changeSettings({
      registration: mode === 'token' && token === null ? { mode, token: newSecret() } : { mode },
    }),
  );

/** Whether clients may register themselves over HTTP. */
export function RegistrationSection() {
  const registration = usePage((state) => state.settings?.registration);
  const issuer = usePage((state) => state.server?.issuer);
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
            {mode !== 'off' && issuer !== undefined && (
              <code>POST {issuer.replace(/\/$/, '')}/register</code>
            )}
          </>
        }
      >
        {(ids) => (
          <Select
            aria-labelledby={ids.name}
            aria-describedby={ids.help}
            data={[...REGISTRATION_MODES]}
            value={mode}
            allowDeselect={false}
            onChange={(chosen) => {
              if (chosen !== null) void setMode(chosen, registration);
            }}
          />
        )}
      </SettingRow>
      <ValueSetting item={TOKEN} />
    </Section>
  );
}
