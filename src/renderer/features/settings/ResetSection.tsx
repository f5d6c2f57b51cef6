import { Button } from '@mantine/core';
import { reset } from '../../actions.ts';
import { Section } from './Section.tsx';
import { SettingRow } from './SettingRow.tsx';

export function ResetSection() {
  return (
    <Section title="Reset" about="Start over. It asks once, and cannot be undone.">
      <SettingRow
        end
        label="Reset the sandbox"
        help="Empties credentials, exchanges and counters, and sets the clock back to real. Clients, users and settings stay."
      >
        {() => (
          <Button color="bad" onClick={() => void reset(false)}>
            Reset the sandbox…
          </Button>
        )}
      </SettingRow>
      <SettingRow
        end
        label="Reset to the workspace file"
        help="The same, and clients, users, audiences and settings return to what the file says."
      >
        {() => (
          <Button color="bad" onClick={() => void reset(true)}>
            Reset to the file…
          </Button>
        )}
      </SettingRow>
    </Section>
  );
}
