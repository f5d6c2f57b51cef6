// The endpoints that take no grant, and the request of a device (RFC 8628 3.1).

import { FORM_TYPE, formBody, JSON_TYPE, type Fields, type HttpRequest } from './fields.ts';

export const AUTHORIZE_PATH = '/authorize';
export const USERINFO_PATH = '/userinfo';
export const PUSH_PATH = '/oauth/par';

export const DEVICE_AUTHORIZATION_PATH = '/oauth/device_authorization';

/** A device authorization request (RFC 8628 3.1). */
export const deviceAuthorizationRequest = (fields: Fields): HttpRequest => ({
  method: 'POST',
  path: DEVICE_AUTHORIZATION_PATH,
  headers: { 'content-type': FORM_TYPE, accept: JSON_TYPE },
  body: formBody(fields),
});
