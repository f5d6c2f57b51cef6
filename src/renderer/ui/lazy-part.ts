// Parts of the page that are loaded when they are first shown. One that cannot be had because the
// connection is lost is waited for, and asked for again when it is back.

import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
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
export async function retryOnReconnect<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (fault) {
    const back = whenBack();
    if (await isReachable()) throw fault;
    await back;
    return retryOnReconnect(load);
  }
}

export const lazyPart = <P>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> =>
  lazy(async () => ({ default: await retryOnReconnect(load) }));
