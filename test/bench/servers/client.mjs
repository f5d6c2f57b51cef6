/** The one client that every measured server knows. */
export const client = {
  client_id: 'demo-app',
  client_secret: 'demo-secret',
  redirect_uri: 'http://localhost:3000/callback',
};
