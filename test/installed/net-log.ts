// What Chromium's own log of the network says about where it connected to.

interface Entry {
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface Connections {
  /** Hosts beyond this machine that were looked up, requested or connected to. */
  readonly hosts: readonly string[];
  /** How much was logged. */
  readonly entries: number;
}

const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|::1|0\.0\.0\.0|::)$/;

/** The names and addresses in an entry: those of a URL, a host or a socket. */
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

/** @param log as --log-net-log writes it when the program ends by itself */
export function connectionsOf(log: string): Connections {
  const { events } = JSON.parse(log) as { events: Entry[] };
  const hosts = new Set(events.flatMap(hostsIn).filter((host) => !LOCAL.test(host)));
  return { hosts: [...hosts].sort(), entries: events.length };
}
