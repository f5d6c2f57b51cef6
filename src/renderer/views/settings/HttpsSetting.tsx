import { Switch } from '@mantine/core';
import type { ServerState } from '../../../control/schemas.ts';
import { hrefOf } from '../../navigation/route.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { SettingRow } from './SettingRow.tsx';
import classes from './Section.module.css';
import { useMove } from './use-move.ts';
import { useNeed } from '../../ui/use-need.ts';

const HELP = hrefOf('help', 'guides/https.md');

/** Whether the OAuth endpoints are served over HTTPS, and how clients come to trust the certificate. */
export function HttpsSetting({ server }: { readonly server: ServerState }) {
  const { busy, problem, move } = useMove();
  const needs = useNeed('connection');
  const { https, certificate } = server;
  return (
    <>
      <SettingRow
        end
        label="HTTPS"
        help={
          <>
            Instead of HTTP, with the certificate that the server was started with, or else one for
            localhost that is generated once and kept. Clients have to trust it:{' '}
            <a href={HELP}>how to</a>. The issuer begins with <code>https</code> then, unless it is
            set.
          </>
        }
      >
        {(ids) => (
          <Switch
            size="sm"
            aria-labelledby={ids.name}
            aria-describedby={ids.help}
            disabled={busy}
            checked={https}
            {...needs}
            onChange={(event) => void move({ https: event.currentTarget.checked })}
          />
        )}
      </SettingRow>
      {problem !== null && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
      {certificate !== null && (
        <div className={classes.example}>
          <CodeBlock
            text={`NODE_EXTRA_CA_CERTS='${certificate}' node app.js`}
            label="command that trusts the certificate"
          />
        </div>
      )}
    </>
  );
}
