// Holding exchanges from Traffic: the button with its rules, and the strip of what is held.

import { Button, Group, Menu, Text, Tooltip } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { CLIENT_GRANTS } from '../../../control/names.ts';
import type { HoldRuleInput } from '../../../control/schemas.ts';
import { grantName } from '../../actions/sandbox.ts';
import { type State, usePage } from '../../connection/state.ts';
import { MenuAction } from '../../ui/MenuAction.tsx';
import { pluralize } from '../../ui/short-forms.ts';
import { useNeed } from '../../ui/use-need.ts';
import panel from '../../ui/panel.module.css';
import { holding, release, releaseAll, startHolding, stopHolding } from './holding.ts';
import classes from './Traffic.module.css';

const ANY = { path: null, method: null, grant_type: null, client_id: null };
const ENDPOINTS = ['/authorize', '/oauth/token', '/userinfo', '/oauth/introspect', '/oauth/revoke'];

function HoldAction({ label, rule }: { readonly label: string; readonly rule: HoldRuleInput }) {
  return (
    <MenuAction needs="server" onClick={() => void startHolding(label, rule)}>
      {label}
    </MenuAction>
  );
}

interface ByProps {
  readonly title: string;
  readonly member: keyof typeof ANY;
  readonly values: readonly (readonly [value: string, label: string])[];
}

/** Rules for one endpoint, client or grant. */
function HoldBy({ title, member, values }: ByProps) {
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item>{title}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        {values.map(([value, label]) => (
          <HoldAction key={value} label={label} rule={{ match: { ...ANY, [member]: value } }} />
        ))}
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  );
}

const MOST_CLIENTS = 20;

/** Starts holding requests of the app, or stops it. */
export function HoldButton() {
  const what = useStore(holding, (state) => state.what);
  const clients = usePage((state) => state.clients);
  const needs = useNeed('connection');
  if (what !== null) {
    return (
      <Tooltip label={`Holding: ${what}. Click to stop and release`}>
        <Button
          variant="filled"
          px="xs"
          aria-label="Stop holding"
          classNames={{ label: classes.tool }}
          onClick={stopHolding}
          {...needs}
        >
          <IconHandStop size="1.2em" aria-hidden="true" />
          <span className={classes.word}>Stop holding</span>
        </Button>
      </Tooltip>
    );
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="subtle"
          px="xs"
          aria-label="Hold"
          title="Hold requests of your app, to look at them and decide"
          classNames={{ label: classes.tool }}
          {...needs}
        >
          <IconHandStop size="1.2em" aria-hidden="true" />
          <span className={classes.word}>Hold</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <HoldAction label="The next request" rule={{ times: 1 }} />
        <HoldAction label="Every request" rule={{}} />
        <HoldAction
          label="Responses to rejected requests"
          rule={{ at: 'response', rejected_only: true }}
        />
        <HoldAction label="Every response" rule={{ at: 'response' }} />
        <Menu.Divider />
        <HoldBy
          title="Requests to"
          member="path"
          values={ENDPOINTS.map((path) => [path, path] as const)}
        />
        <HoldBy
          title="Requests of"
          member="client_id"
          values={clients
            .slice(0, MOST_CLIENTS)
            .map(({ client_id }) => [client_id, client_id] as const)}
        />
        <HoldBy
          title="Requests with"
          member="grant_type"
          values={CLIENT_GRANTS.map((grant) => [grant, grantName(grant)] as const)}
        />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Whole seconds until a time of the machine, counted down. */
export function SecondsLeft({ ends_ms }: { readonly ends_ms: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Math.floor((ends_ms - now) / 1000));
  return (
    <Text span ff="monospace" fz="var(--fs-xs)" aria-label={`${left} seconds left`}>
      {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
    </Text>
  );
}

type HeldRow = State['held'][number];

function HeldLine({ held, onOpen }: { readonly held: HeldRow } & OpensExchange) {
  const { number, at, method, path, client_id, client_gone, ends_ms } = held;
  const needs = useNeed('connection');
  return (
    <Group component="li" gap="xs" wrap="nowrap" fz="sm">
      <SecondsLeft ends_ms={ends_ms} />
      <Text span inherit truncate flex="1">
        <code>
          #{number} {method} {path.replace(/\?.*$/s, '?…')}
        </code>
        {client_id !== null && ` · ${client_id}`}
        {at === 'response' && ' · response'}
        {client_gone && ' · the client hung up'}
      </Text>
      <Button onClick={() => onOpen(number)} aria-label={`Open held exchange ${number}`}>
        Open
      </Button>
      <Button
        onClick={() => void release({ number })}
        aria-label={`Release held exchange ${number}`}
        {...needs}
      >
        Release
      </Button>
    </Group>
  );
}

interface OpensExchange {
  readonly onOpen: (number: number) => void;
}

/** Exchanges that wait for a decision, above the list. */
export function HeldStrip({ onOpen }: OpensExchange) {
  const held = usePage((state) => state.held);
  const needs = useNeed('connection');
  if (held.length === 0) return null;
  return (
    <section className={`${panel.bar} ${classes.held}`} aria-label="Held exchanges">
      <Group justify="space-between" wrap="nowrap">
        <Text fw="bold" fz="sm" role="status">
          {pluralize(held.length, 'exchange')} held
        </Text>
        {held.length > 1 && (
          <Button onClick={() => void releaseAll()} {...needs}>
            Release all
          </Button>
        )}
      </Group>
      <ul role="list">
        {held.map((one) => (
          <HeldLine key={`${one.number} ${one.at}`} held={one} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  );
}
