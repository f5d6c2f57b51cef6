// Parts of the page that are loaded when they are first shown. One that cannot be had because the
// connection is lost is waited for, and asked for again when it is back.

import { useLayoutEffect, useState, type ComponentType, type ReactNode } from 'react';
import { page } from '../connection/state.ts';

const askedAgain = (link: HTMLLinkElement) =>
  new Promise((settled) => {
    const again = link.cloneNode() as HTMLLinkElement;
    again.onload = settled;
    again.onerror = settled;
    link.replaceWith(again);
  });

/** Asks again for style sheets that did not come: the bundler's own loader asks for each but once. */
function restoreStyles(): Promise<unknown> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
  return Promise.all(links.filter(({ sheet }) => sheet === null).map(askedAgain));
}

/** Whether the page can still be had where it came from. */
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

/** One wait for all parts: each would ask for the style sheets of the others. */
const whenBack = (): Promise<unknown> =>
  (awaited ??= reconnected()
    .then(restoreStyles)
    .finally(() => {
      awaited = null;
    }));

/** @throws what the loading met while the page could be had */
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
  /** Loads it ahead; once it is there, it is drawn at once. */
  readonly load: () => Promise<ComponentType<P>>;
}

const Nothing = () => null;

/**
 * A component that loads its code when it is first shown. Not by React's `lazy`: its Suspense holds back what has
 * come until 300 ms after it drew what stands in for it.
 *
 * @param Awaited stands in for it until then
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
