// Reads the hosts that Chromium connected to from its network log.

interface Entry {
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface Connections {
  /** Hosts beyond this machine that were resolved, requested or connected to. */
  readonly hosts: readonly string[];
  /** Number of log entries. */
  readonly entries: number;
}

const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|::1|0\.0\.0\.0|::)$/;

/** The host names and addresses in an entry: of a URL, a host or a socket. */
function hostsIn({ params = {} }: Entry): string[] {
  const { url, host, address, address_list: list } = params;
  const addresses = Array.isArray(list) ? (list as unknown[]) : [address];
  const named = [host, ...addresses].filter((value) => typeof value === 'string');
  const urls = typeof url === 'string' && /^(https?|wss?):/.test(url) ? [url] : [];
  return [
    ...named.map((value) => value.replace(/^\w+:\/\//, '').replace(/^\[?(.+?)\]?(:\d+)?$/, '$1')),
    ...urls.map((value) => new URL(value).hostname.replace(/^\[(.*)\]$/, '$1')),
  ];
}

/** @param log the file that --log-net-log writes when the program ends normally */
export function connectionsOf(log: string): Connections {
  const { events } = JSON.parse(log) as { events: Entry[] };
  const hosts = new Set(events.flatMap(hostsIn).filter((host) => !LOCAL.test(host)));
  return { hosts: [...hosts].sort(), entries: events.length };
}
