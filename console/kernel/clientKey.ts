/** A key for one sending. Works over plain http, too, where `randomUUID` is missing. */
export const clientKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
