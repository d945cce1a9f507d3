import { Type } from 'typebox'
import { call, IdList } from '../../../contract/call.ts'
import { long, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'

/** A make of device: devices of one model have the same points, and a rule can mean all of them. */
export const proModel = resource('proModel', {
  path: '/ProModel/ProModel',
  permission: 'm10110',
  title: 'ModelName',
  order: 'ModelName',
  sheets: 'in-out',
  fields: {
    ModelName: text({ required: true, unique: true, search: true }),
    ModelNo: text({ search: true }),
    /** Who makes it. */
    Brand: text({ search: true }),
    Remark: long(),
  },
})

export const modelCalls = {
  /** Copies without devices, each under a name of its own. */
  copy: call({
    method: 'POST',
    path: `${proModel.path}/Copy`,
    permission: `${proModel.permission}.add`,
    body: Type.Object({ Ids: IdList() }),
    answer: Type.Object({ Added: Type.Integer() }),
  }),
  /** The highest Id that the caller sees; 0 before the first model. */
  maxId: call({
    method: 'GET',
    path: `${proModel.path}/MaxId`,
    permission: proModel.permission,
    answer: Type.Object({ MaxId: Type.Integer() }),
  }),
}
