import { readFileSync } from 'node:fs'
import type { Settings } from '../settings.ts'

/** Certificate and key where they are set. */
export const tlsOf = ({ tlsCert, tlsKey }: Pick<Settings, 'tlsCert' | 'tlsKey'>) =>
  tlsCert && tlsKey ? { cert: readFileSync(tlsCert), key: readFileSync(tlsKey) } : undefined
