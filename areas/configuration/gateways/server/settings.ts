// Wanted settings of gateways.

import { type Setting, settingOf, settingValue } from '../../../../contract/gateway-settings.ts'
import type { Row } from '../../../../contract/resource.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { type Check, store } from '../../../../server/resource/store.ts'
import { gateway, type gatewayPara } from '../contract.ts'

const gateways = store(gateway)
const allowed = (setting: Setting): { rule: string; values?: Record<string, string | number> } => {
  if (setting.kind === 'number') return { rule: 'fault.field.gatewayPara.number', values: { min: setting.min, max: setting.max } }
  return setting.kind === 'choice'
    ? { rule: 'fault.field.gatewayPara.choice', values: { of: setting.of.join(', ') } }
    : { rule: 'gatewayPara.host' }
}

/** Refuses a setting that the gateway's type does not have, and invalid values. */
export const checkSetting: Check<typeof gatewayPara> = async (db, actor, given, held) => {
  const { GatewayId, ParaCode, ParaValue } = { ...held, ...given } as Row<typeof gatewayPara>
  const setting = settingOf(ParaCode)
  if (!setting || ParaValue === undefined) return given
  const { GatewayTypeId } = await gateways.find(db, actor, GatewayId)
  if (!held && !setting.types.includes(GatewayTypeId))
    throw new FieldFaults([{ field: 'ParaCode', rule: 'fault.field.gatewayPara.otherType' }])
  const value = settingValue(setting, ParaValue)
  if (value === undefined) throw new FieldFaults([{ field: 'ParaValue', ...allowed(setting) }])
  return { ...given, ParaValue: String(value) }
}
