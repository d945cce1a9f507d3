import { createHash } from 'node:crypto'
import { canonical } from '../../contract/gateway-config.ts'
import type { Down } from '../../contract/gateway-protocol.ts'
import { check, type Table, type Verdict } from './check.ts'

export type Config = Table & { ConfigVersion: number; HeartbeatPeriod: number }
type Part = Down['config']['Data']

/** Maximum parts and rows of a push, which is assembled in memory. */
const maxParts = 1000
const maxPoints = 100_000

/** SHA-256 of the canonical JSON of the three tables, and of settings if there are any, in hex: the expected `Hash` of a push. */
export const configHash = ({ Channels, Devices, Points, Settings }: Table) =>
  createHash('sha256').update(canonical({ Channels, Devices, Points, Settings })).digest('hex')

/** Assembles a pushed configuration from its parts, 1 to Parts in order. */
export const assembly = () => {
  let parts: Part[] = []

  /** The verdict for this part; with Code 0 and a config after the last part if every row is valid. */
  return (part: Part): Verdict & { config?: Config } => {
    if (part.Part === 1) parts = []
    const first = parts[0] ?? part
    if (part.Part !== parts.length + 1) return { Code: 15, Msg: `part ${part.Part} came instead of ${parts.length + 1}` }
    if (part.Parts < part.Part || part.Parts > maxParts || part.Parts !== first.Parts || part.Hash !== first.Hash)
      return { Code: 15, Msg: 'the parts do not belong together' }
    parts.push(part)
    if (parts.reduce((n, p) => n + p.Points.length, 0) > maxPoints) {
      parts = []
      return { Code: 15, Msg: `more than ${maxPoints} points` }
    }
    if (part.Part < part.Parts) return { Code: 0, Msg: `part ${part.Part} of ${part.Parts}` }
    const table: Table = {
      Channels: parts.flatMap((p) => p.Channels),
      Devices: parts.flatMap((p) => p.Devices),
      Points: parts.flatMap((p) => p.Points),
      ...(first.Settings ? { Settings: first.Settings } : {}),
    }
    parts = []
    const hash = configHash(table)
    if (hash !== part.Hash) return { Code: 15, Msg: `hash ${hash} instead of ${part.Hash}` }
    const refusal = check(table)
    if (refusal) return refusal
    return { Code: 0, Msg: '', config: { ConfigVersion: part.ConfigVersion, HeartbeatPeriod: part.HeartbeatPeriod, ...table } }
  }
}
