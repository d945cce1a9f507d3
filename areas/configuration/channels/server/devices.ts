import { sql } from 'kysely'
import { protocolOf } from '../../../../contract/protocols/index.ts'
import { type Settings, settingFaults } from '../../../../contract/protocols/settings.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Check } from '../../../../server/resource/store.ts'

/** Checks the settings of a device by the protocol of its channel, when they change. */
export const deviceCheck: Check = async (db, _actor, given, held) => {
  if (!given.Settings) return given
  const { CommType, NetProtocolId, SerialProtocolId } = { CommType: 0, ...held, ...given } as Record<string, unknown>
  const [channel] = await db.rows<{ ProtocolType: number }>(
    CommType === 1
      ? sql`select "ProtocolType" from serial_protocol where "Id" = ${SerialProtocolId ?? null}`
      : sql`select "ProtocolType" from net_protocol where "Id" = ${NetProtocolId ?? null}`,
  )
  const filled = Object.entries(given.Settings as Record<string, unknown>).filter(([, value]) => value !== null && value !== '')
  const Settings = Object.fromEntries(filled) as Settings
  const faults = settingFaults(protocolOf(channel?.ProtocolType ?? 0)?.device ?? {}, Settings)
  if (faults.length) throw new FieldFaults(faults.map(({ name, ...fault }) => ({ field: `Settings.${name}`, ...fault })))
  return { ...given, Settings: filled.length ? Settings : null }
}
