// A view that fails takes only itself down: the frame stays, and says what happened.

import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Component, type ReactNode } from 'react';
import { EmptyState } from '../ui/panel.tsx';

interface ViewFaultProps {
  /** What is shown: another one is another try. */
  readonly name: string;
  readonly children: ReactNode;
}

interface Met {
  readonly fault: Error | null;
  readonly name: string;
}

export class ViewFault extends Component<ViewFaultProps, Met> {
  override state: Met = { fault: null, name: this.props.name };

  static getDerivedStateFromError(fault: Error): Partial<Met> {
    return { fault };
  }

  static getDerivedStateFromProps({ name }: ViewFaultProps, met: Met): Met {
    return name === met.name ? met : { fault: null, name };
  }

  override render(): ReactNode {
    const { fault, name } = this.state;
    if (fault === null) return this.props.children;
    return (
      <EmptyState
        icon={<IconAlertTriangle size="1.5em" stroke={1.5} />}
        title={`${name} could not be shown`}
        text={`${fault.message}. The server and the other views still work. Reload the page to show this view again.`}
        action={
          <Button variant="filled" onClick={() => location.reload()}>
            Reload page
          </Button>
        }
      />
    );
  }
}
