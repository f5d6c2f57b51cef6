import { Switch } from '@mantine/core';
import { browserAccess } from '../../connection/control.ts';
import { appWindow } from '../../actions/window.ts';
import { AccessRows } from './AccessRows.tsx';
import { Section } from './Section.tsx';
import classes from './Section.module.css';
import { SettingRow } from './SettingRow.tsx';
import { useAutomation } from './use-automation.ts';

const ABOUT =
  'Tests, scripts and the grantbench command control this sandbox over REST: codes, tokens, the clock, faults and captured traffic.';

function InWindow() {
  const { state, busy, problem, set } = useAutomation();
  const told = problem ?? state?.problem ?? null;
  const access = state?.access ?? null;
  return (
    <Section title="Automation" about={ABOUT}>
      <SettingRow
        end
        label="Automation access"
        help="Opens the control API on this machine only, protected by a token. The grantbench commands find it automatically. Off by default; your choice is remembered."
      >
        {(ids) => (
          <Switch
            size="sm"
            aria-labelledby={ids.name}
            aria-describedby={ids.help}
            disabled={state === null || busy}
            checked={state?.enabled === true}
            onChange={(event) => void set(event.currentTarget.checked)}
          />
        )}
      </SettingRow>
      {told !== null && (
        <p className={classes.problem} role="alert">
          {told}
        </p>
      )}
      {access !== null && <AccessRows {...access} />}
    </Section>
  );
}

function InBrowser() {
  const access = browserAccess();
  return (
    <Section
      title="Automation"
      about={`${ABOUT} It is always on here: this page uses the same API.`}
    >
      {access !== null && <AccessRows {...access} />}
    </Section>
  );
}

/** How others than this page reach the sandbox. */
export const AutomationSection = () => (appWindow === null ? <InBrowser /> : <InWindow />);
