/** Scheme of the authorization header of a signed call. */
export const hmacScheme = 'PENSTOCK-HMAC-SHA256'
/** Derives the key that signs from the secret: only what is derived is kept, sealed. */
export const signingLabel = 'penstock-hmac-1'
/** A signed call is good for so long, s, either way of the server's clock. */
export const signedSeconds = 300
/** What is signed. `target` is the path with its query as sent, `bodySha256` in hex, also of an empty body. */
export const stringToSign = (r: { method: string; target: string; timestamp: string; nonce: string; bodySha256: string }) =>
  [r.method, r.target, r.timestamp, r.nonce, r.bodySha256].join('\n')
