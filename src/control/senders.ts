// Senders of requests, for those who name them without the schemas.

export { SENDERS, SENDER_HEADER, SENDER_SHORT } from '../core/records/enumerations.ts';
