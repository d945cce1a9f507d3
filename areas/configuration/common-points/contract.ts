import { Type } from 'typebox'
import { batchAddOf } from '../../../contract/batch.ts'
import { call, IdList } from '../../../contract/call.ts'
import { describedFields, describedRules } from '../../../contract/described-points.ts'
import { text } from '../../../contract/field.ts'
import { pointWarnings } from '../../../contract/point-rules.ts'
import { modbusPattern } from '../../../contract/protocols/modbus.ts'
import { resource } from '../../../contract/resource.ts'
import { Applied, Flag } from '../models/contract.ts'

/** A point that any device may have, such as running hours. Expressions in braces may use the unit ID of the device. */
export const commonPara = resource('commonPara', {
  path: '/Project/CommonPara',
  permission: 'm10121',
  title: 'ParaName',
  order: 'ParaName',
  sheets: 'in-out',
  rules: describedRules,
  warnings: pointWarnings,
  fields: {
    ...describedFields(true, modbusPattern),
    GroupName: text({ search: true, section: 'identity' }),
  },
})

export const commonCalls = {
  batchAdd: batchAddOf(commonPara),
  /** Adds these points to each of the devices, all or none. */
  addToDevices: call({
    method: 'POST',
    path: `${commonPara.path}/AddToDevices`,
    permission: 'm10104.add',
    body: Type.Object({ Ids: IdList(), DeviceIds: IdList(), Preview: Flag }),
    answer: Applied,
  }),
}
