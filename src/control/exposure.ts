// Addresses that other machines reach, and what is asked before the service listens on one: by the page in a browser
// tab, and by the window natively.

/** Whether only this machine reaches it. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);

interface ExposureQuestion {
  readonly title: string;
  readonly body: string;
  readonly confirm: string;
}

export const exposureQuestion = (host: string, https: boolean): ExposureQuestion => ({
  title: 'Let other machines reach the sandbox?',
  body: `On ${host}, anyone on the network can reach the OAuth endpoints, and they have no protection: the sign-in page asks for no password, so that anyone can sign in as any user.${
    https ? '' : ' Traffic is not encrypted unless HTTPS is on.'
  } The workbench and the control API stay where they are.`,
  confirm: `Listen on ${host}`,
});
