import { useEffect, useState } from 'react';
import type { AutomationState } from '../../../control/window-contract.ts';
import { attempt } from '../../actions/sandbox.ts';
import { problemOf } from '../../connection/control.ts';
import { problemSentence } from '../../ui/problems.ts';
import { appWindow } from '../../actions/window.ts';

interface Automation {
  /** null until the window has answered, and in a browser tab. */
  readonly state: AutomationState | null;
  readonly busy: boolean;
  /** Why the window could not be asked. */
  readonly problem: string | null;
  readonly set: (enabled: boolean) => Promise<void>;
}

/** The state of automation access in the window, and its switch. */
export function useAutomation(): Automation {
  const [state, setState] = useState<AutomationState | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    appWindow?.automation().then(setState, (error: unknown) => {
      setProblem(problemSentence(problemOf(error)));
    });
  }, []);
  const set = async (enabled: boolean) => {
    const own = appWindow;
    if (own === null || busy) return;
    setBusy(true);
    await attempt('Automation access was not changed.', async () => {
      setState(await own.setAutomation({ enabled }));
    });
    setBusy(false);
  };
  return { state, busy, problem, set };
}
