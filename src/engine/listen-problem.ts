// Describes why the server cannot listen on an address, and names the invalid member.

import { PortInUseError } from '../server/bind.ts';
import { CertificateError } from './certificate.ts';
import { codeOf, messageOf } from './errors.ts';

/** The errors for an address or name that this machine does not have. */
const FOREIGN = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EAFNOSUPPORT', 'EINVAL'];

const cannotListen = (message: string) => ({
  code: 'cannot_listen',
  message,
  free_port: null,
});

export function listenProblem(error: unknown, host: string | null) {
  if (error instanceof PortInUseError) {
    const { port, free_port } = error;
    const free = free_port === null ? '' : `; ${free_port} is free`;
    const message = `Port ${port} is already in use${free}.`;
    return { field: 'port', problem: { code: 'port_in_use', message, free_port } };
  }
  const message = messageOf(error);
  if (error instanceof CertificateError) {
    return { field: 'https', problem: cannotListen(`${message.replace(/\.$/, '')}.`) };
  }
  if (host !== null && FOREIGN.includes(codeOf(error) ?? '')) {
    return {
      field: 'host',
      problem: cannotListen(`The host ${host} is not an address of this machine.`),
    };
  }
  return { field: 'port', problem: cannotListen(message) };
}
