import { useEffect, useState } from 'react';
import { Button, Box, Group } from '@mantine/core';
import type { AutomationState } from '../../../control/window-contract.ts';
import { attempt } from '../../actions/sandbox.ts';
import { problemOf, browserAccess } from '../../connection/control.ts';
import { problemSentence } from '../../ui/problems.ts';
import { appWindow } from '../../actions/window.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { CopyButton } from '../../ui/buttons.tsx';
import { RowProblem, Section, SettingRow, SwitchRow } from './Section.tsx';

const HIDDEN = '•'.repeat(16);

const RENEWED =
  appWindow === null
    ? 'Generated at each start, unless GRANTBENCH_CONTROL_TOKEN sets one.'
    : 'Generated at each start.';

function AccessRows({ url, token }: { readonly url: string; readonly token: string }) {
  const [shown, setShown] = useState(false);
  const call = (with_: string) =>
    `curl ${url}/api/server \\\n  -H 'Authorization: Bearer ${with_}'`;
  return (
    <>
      <SettingRow
        end
        label="Address"
        help={
          <>
            Operations are under <code>/api</code>.
          </>
        }
      >
        <Group gap={4} justify="flex-end">
          <code>{url}</code>
          <CopyButton value={url} label="Copy the address" />
        </Group>
      </SettingRow>
      <SettingRow
        end
        label="Reference"
        help={
          <>
            All operations with their parameters and responses; OpenAPI document at{' '}
            <code>/openapi.json</code>.
          </>
        }
      >
        <Group gap={4} justify="flex-end">
          {appWindow === null ? (
            <a href={`${url}/docs`} target="_blank" rel="noreferrer">
              /docs
            </a>
          ) : (
            <code>{url}/docs</code>
          )}
          <CopyButton value={`${url}/docs`} label="Copy the address of the reference" />
        </Group>
      </SettingRow>
      <SettingRow
        end
        label="Control token"
        help={`Anyone who has it can read every secret and issue any token. ${RENEWED}`}
      >
        <Group gap={4} justify="flex-end">
          <code style={{ overflowWrap: 'anywhere' }}>{shown ? token : HIDDEN}</code>
          <Button variant="subtle" onClick={() => setShown(!shown)}>
            {shown ? 'Hide' : 'Reveal'}
          </Button>
          <CopyButton value={token} label="Copy the control token" />
        </Group>
      </SettingRow>
      <SettingRow
        end
        label="In a browser"
        help="Opens the workbench in a browser. The link contains the control token in its fragment."
      >
        <CopyButton
          value={`${url}/#token=${token}`}
          label="Copy the link to the workbench"
          text="Copy link"
        />
      </SettingRow>
      <Box px="md" pt="sm" pb="md">
        <CodeBlock text={call(shown ? token : HIDDEN)} copies={call(token)} label="curl command" />
      </Box>
    </>
  );
}

const ABOUT =
  'Tests, scripts and the grantbench command control this sandbox over REST: codes, tokens, the clock, faults and captured traffic.';

function InWindow({ window }: { readonly window: NonNullable<typeof appWindow> }) {
  /** null until the window has responded. */
  const [state, setState] = useState<AutomationState | null>(null);
  const [busy, setBusy] = useState(false);
  /** Why the window's state could not be loaded. */
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    window.automation().then(setState, (error: unknown) => {
      setProblem(problemSentence(problemOf(error)));
    });
  }, [window]);
  const set = async (enabled: boolean) => {
    if (busy) return;
    setBusy(true);
    await attempt('Automation access was not changed.', async () => {
      setState(await window.setAutomation({ enabled }));
    });
    setBusy(false);
  };
  const failure = problem ?? state?.problem ?? null;
  const access = state?.access ?? null;
  return (
    <Section title="Automation" about={ABOUT}>
      <SwitchRow
        label="Automation access"
        help="Opens the control API on this machine only, protected by a token. The grantbench commands find it automatically. Off by default; your choice is remembered."
        disabled={state === null || busy}
        checked={state?.enabled === true}
        onChange={set}
      />
      {failure !== null && <RowProblem>{failure}</RowProblem>}
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

export const AutomationSection = () =>
  appWindow === null ? <InBrowser /> : <InWindow window={appWindow} />;
