// Parts of the page that are loaded when they are first shown. If a part cannot be loaded because the connection is
// lost, it is loaded after reconnecting.

import { useEffect, useLayoutEffect, useState, type ComponentType, type ReactNode } from 'react';
import { page } from '../connection/state.ts';

const askedAgain = (link: HTMLLinkElement) =>
  new Promise((settled) => {
    const again = link.cloneNode() as HTMLLinkElement;
    again.onload = settled;
    again.onerror = settled;
    link.replaceWith(again);
  });

/** Requests style sheets again that failed to load; the bundler's own loader requests each only once. */
function restoreStyles(): Promise<unknown> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
  return Promise.all(links.filter(({ sheet }) => sheet === null).map(askedAgain));
}

/** Whether the server that the page came from still responds. */
const isReachable = (): Promise<boolean> =>
  fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );

const reconnected = () =>
  new Promise<void>((back) => {
    const release = page.subscribe(({ connection }, before) => {
      if (connection !== 'open' || before.connection === 'open') return;
      release();
      back();
    });
  });

let awaited: Promise<unknown> | null = null;

/** All parts wait together, since each would request the style sheets of the others again. */
const whenBack = (): Promise<unknown> =>
  (awaited ??= reconnected()
    .then(restoreStyles)
    .finally(() => {
      awaited = null;
    }));

/** @throws the loading error, if the server responds */
async function retryOnReconnect<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (fault) {
    const back = whenBack();
    if (await isReachable()) throw fault;
    await back;
    return retryOnReconnect(load);
  }
}

export interface LazyPart<P> {
  (props: P): ReactNode;
  /** Loads the part early. Once loaded, it is drawn at once. */
  readonly load: () => Promise<ComponentType<P>>;
}

const Nothing = () => null;

/**
 * A component that loads its code when it is first shown. React's `lazy` is not used: its Suspense keeps the fallback
 * for at least 300 ms, even if the code has loaded.
 *
 * @param Awaited the fallback
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Awaited: ComponentType = Nothing,
): LazyPart<P> {
  let loaded: ComponentType<P> | null = null;
  const have = async () => (loaded ??= await retryOnReconnect(load));

  function Part(props: P) {
    const [Shown, setShown] = useState(() => loaded);
    const [failure, setFailure] = useState<{ readonly fault: unknown } | null>(null);
    useLayoutEffect(() => {
      if (Shown !== null) return undefined;
      let gone = false;
      have().then(
        (part) => {
          if (!gone) setShown(() => part);
        },
        (fault: unknown) => {
          if (!gone) setFailure({ fault });
        },
      );
      return () => {
        gone = true;
      };
    }, [Shown]);
    if (failure !== null) throw failure.fault;
    return Shown === null ? <Awaited /> : <Shown {...props} />;
  }
  return Object.assign(Part, { load: have });
}

const AT_REST_MS = 300;

/**
 * Resolves when the page is idle, or has been busy for AT_REST_MS: a page that always draws something is never idle.
 * Safari 17 has no requestIdleCallback.
 */
export const atRest = () =>
  new Promise<void>((rested) => {
    if (typeof requestIdleCallback !== 'function') setTimeout(rested, AT_REST_MS);
    else requestIdleCallback(() => rested(), { timeout: AT_REST_MS });
  });

/** Loads code once the component is drawn and the page at rest. A failure is reported when the code is needed. */
export function usePrefetch(load: () => Promise<unknown>): void {
  useEffect(
    () =>
      void atRest()
        .then(load)
        .catch(() => undefined),
    [load],
  );
}
