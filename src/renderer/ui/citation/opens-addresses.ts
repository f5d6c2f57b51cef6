/** Whether the page can open published standards: the window opens no address, a browser tab does. */
export const opensAddresses = (): boolean => window.grantbench === undefined;
