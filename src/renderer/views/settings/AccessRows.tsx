import { Button } from '@mantine/core';
import { useState } from 'react';
import { appWindow } from '../../actions/window.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { SettingRow } from './SettingRow.tsx';
import classes from './Section.module.css';

const HIDDEN = '•'.repeat(16);

const RENEWED =
  appWindow === null
    ? 'Generated at each start, unless GRANTBENCH_CONTROL_TOKEN sets one.'
    : 'Generated at each start.';

interface AccessRowsProps {
  readonly url: string;
  readonly token: string;
}

/** Where automation finds the operations and what it must show there, each to be copied. */
export function AccessRows({ url, token }: AccessRowsProps) {
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
        {() => (
          <div className={classes.line}>
            <code>{url}</code>
            <CopyButton value={url} label="Copy the address" />
          </div>
        )}
      </SettingRow>
      <SettingRow
        end
        label="Reference"
        help={
          <>
            All operations with their members and answers; as OpenAPI at <code>/openapi.json</code>.
          </>
        }
      >
        {() => (
          <div className={classes.line}>
            {appWindow === null ? (
              <a href={`${url}/docs`} target="_blank" rel="noreferrer">
                /docs
              </a>
            ) : (
              <code>{url}/docs</code>
            )}
            <CopyButton value={`${url}/docs`} label="Copy the address of the reference" />
          </div>
        )}
      </SettingRow>
      <SettingRow
        end
        label="Token"
        help={`Anyone who has it can read every secret and mint any token. ${RENEWED}`}
      >
        {() => (
          <div className={classes.line}>
            <code className={classes.token}>{shown ? token : HIDDEN}</code>
            <Button variant="subtle" onClick={() => setShown(!shown)}>
              {shown ? 'Hide' : 'Reveal'}
            </Button>
            <CopyButton value={token} label="Copy the token" />
          </div>
        )}
      </SettingRow>
      <SettingRow
        end
        label="In a browser"
        help="The workbench as a page: the link carries the token in its fragment."
      >
        {() => (
          <CopyButton
            value={`${url}/#token=${token}`}
            label="Copy the link to the workbench"
            text="Copy link"
          />
        )}
      </SettingRow>
      <div className={classes.example}>
        <CodeBlock text={call(shown ? token : HIDDEN)} copies={call(token)} label="curl command" />
      </div>
    </>
  );
}
