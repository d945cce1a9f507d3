import { readFileSync } from 'node:fs'

export type TlsFiles = { tlsCert?: string | undefined; tlsKey?: string | undefined }

/** Certificate and key where they are set. */
export const tlsOf = ({ tlsCert, tlsKey }: TlsFiles) =>
  tlsCert && tlsKey ? { cert: readFileSync(tlsCert), key: readFileSync(tlsKey) } : undefined
