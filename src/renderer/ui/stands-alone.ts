// Whether what is drawn stands in a document of its own, as a report does: nothing in it can be followed or
// opened, so links and buttons give way to their words.

import { createContext } from 'react';

export const StandsAlone = createContext(false);
