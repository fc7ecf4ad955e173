/** `WWW-Authenticate` of every 401: RFC 9110 §15.5.2 wants one, and a scheme of our own keeps browsers from asking for a password (S41). */
export const challenge = 'Session realm="latchkey"';
