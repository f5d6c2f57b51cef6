import { Autocomplete, Button, TextInput, Tooltip } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import type { ClipboardEvent } from 'react';
import { keysOf } from '../../../navigation/command.ts';
import { whileBusy } from '../../../ui/while-busy.ts';
import { withTarget } from '../draft.ts';
import { paste } from '../request-actions.ts';
import { problemsOf } from '../request-text.ts';
import { changeRequests, editDraft, useRequests } from '../requests-store.ts';
import { SaveRequest } from '../saved/SaveRequest.tsx';
import { send } from '../send.ts';
import classes from './Composer.module.css';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** A curl command pasted where a path is expected is taken for what it is. */
function takeCommand(event: ClipboardEvent): void {
  const text = event.clipboardData.getData('text');
  if (!/^\s*(?:\$\s*)?curl(?:\.exe)?\s/.test(text)) return;
  event.preventDefault();
  try {
    paste(text);
  } catch {
    // The dialog tells what is wrong with it.
    changeRequests((state) => ({ ...state, pasting: true, command: text }));
  }
}

/** Method, path, and the buttons that send and save. */
export function TargetBar() {
  const draft = useRequests((state) => state.draft);
  const busy = useRequests((state) => state.busy !== null);
  const problems = problemsOf(draft);
  return (
    <div className={classes.bar}>
      <Autocomplete
        aria-label="Method"
        data={METHODS}
        // Every method is offered, whatever stands there.
        filter={({ options }) => options}
        value={draft.method}
        error={problems['method']}
        classNames={{ input: classes.mono }}
        onChange={(method) => editDraft((former) => ({ ...former, method: method.toUpperCase() }))}
      />
      <TextInput
        aria-label="Path and query"
        value={draft.target}
        error={problems['path']}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: classes.mono }}
        onPaste={takeCommand}
        onChange={({ currentTarget: { value } }) =>
          editDraft((former) => withTarget(former, value))
        }
      />
      <Tooltip label={`Send (${keysOf('mod+Enter')})`}>
        <Button
          size="sm"
          variant="filled"
          className={classes.busy}
          leftSection={<IconSend size="1.1em" aria-hidden="true" />}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={() => void send()}
          {...whileBusy(busy)}
        >
          Send
        </Button>
      </Tooltip>
      <SaveRequest />
    </div>
  );
}
