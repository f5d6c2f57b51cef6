import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { startServer } from '../actions/sandbox.ts';
import { useReach } from '../connection/reach.ts';
import { usePage } from '../connection/state.ts';
import { sentence } from '../ui/problems.ts';
import { Banner } from './Banner.tsx';
import { LostFeed } from './LostFeed.tsx';

/** What the person must know wherever they are: the feed is lost, the server failed, nothing is saved. */
export function Banners() {
  const live = useReach((reach) => reach.live);
  const known = usePage((state) => state.server);
  const server = live ? known : null;
  const problem = server?.state === 'failed' ? server.problem : null;
  const unsaved =
    server?.workspace.state === 'failed' || server?.workspace.state === 'conflict'
      ? server.workspace
      : null;
  const free = problem?.free_port ?? null;
  return (
    <div role="status">
      <LostFeed />
      {problem !== null && (
        <Banner
          tone="bad"
          icon={IconAlertTriangle}
          title="The server is not running"
          action={
            <>
              <Button onClick={() => void startServer()}>Try again</Button>
              {free !== null && (
                <Button variant="filled" onClick={() => void startServer(free)}>
                  Start on port {free}
                </Button>
              )}
            </>
          }
        >
          {sentence(problem.message)}
        </Banner>
      )}
      {unsaved !== null && (
        <Banner tone="bad" icon={IconAlertTriangle} title="The workspace is not saved">
          {unsaved.message ??
            'The workspace file was changed by another program. Nothing was overwritten.'}
        </Banner>
      )}
    </div>
  );
}
