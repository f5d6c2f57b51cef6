// Putting requests together and sending them.

import type { Command } from '../../navigation/command.ts';
import { fillIn } from '../../views/requests/fill.ts';
import { copyAs, inRequests, startFrom } from '../../views/requests/request-actions.ts';
import { changeRequests } from '../../views/requests/requests-store.ts';
import { send } from '../../views/requests/send.ts';
import { LANGUAGES } from '../../snippets/languages.ts';
import { isOffered, TEMPLATES } from '../../views/requests/templates.ts';

const startSaving = () => changeRequests((state) => ({ ...state, saving: true, pane: 'request' }));
const startPasting = () => changeRequests((state) => ({ ...state, pasting: true }));

export const REQUESTS: readonly Command[] = [
  {
    id: 'send-request',
    title: 'Send the current request',
    group: 'Requests',
    needs: 'connection',
    run: inRequests(send),
  },
  {
    id: 'save-request',
    title: 'Save the current request…',
    group: 'Requests',
    run: inRequests(startSaving),
  },
  {
    id: 'paste-curl',
    title: 'Paste a curl command…',
    group: 'Requests',
    shortcut: 'alt+C',
    run: inRequests(startPasting),
  },
  {
    id: 'fresh-credentials',
    title: 'Get new credentials for the request',
    group: 'Requests',
    shortcut: 'alt+shift+F',
    needs: 'connection',
    run: inRequests(fillIn),
  },
  ...TEMPLATES.map((template): Command => ({
    id: `start-from-${template.id}`,
    title: `New request: ${template.title}`,
    group: 'Requests',
    enabled: ({ settings }) => isOffered(template, settings),
    run: inRequests(() => startFrom(template.id)),
  })),
  ...LANGUAGES.map((language): Command => ({
    id: `copy-as-${language.id}`,
    title: `Copy the current request as ${language.name}`,
    group: 'Requests',
    run: () => copyAs(language),
  })),
];
