import { Type } from 'typebox'
import { ById, call } from '../../../contract/call.ts'
import { choice, files, long, number, ref, text } from '../../../contract/field.ts'
import { Id, resource, schemas } from '../../../contract/resource.ts'

/** Levels of equipment below a project. */
export const deepestEquipment = 5
const day = { max: 10, pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' } as const

/**
 * An item to maintain, below its project: a machine, a roof, a fire extinguisher. Equipment that is a device takes name and project from the
 * device and remains when the device is removed.
 */
export const mtnEquipment = resource('mtnEquipment', {
  path: '/Maintenance/MtnEquipment',
  permission: 'm10613',
  title: 'EquipmentName',
  owner: 'ProjectId',
  order: 'Sort',
  tree: 'ParentId',
  sheets: 'in-out',
  differs: { duplicates: 'Only its device is unique, and most equipment is none.' },
  fields: {
    EquipmentName: text({ required: true, max: 60, search: true }),
    EquipmentNo: text({ max: 40, search: true }),
    ProjectId: ref('project', { required: true, set: 'create', search: true }),
    /** Parent equipment. */
    ParentId: ref('mtnEquipment', { as: 'ParentName' }),
    DeviceId: ref('device', { unique: true }),
    /** Cost of downtime: 1 low, 2 medium, 3 high. */
    Criticality: choice([1, 2, 3], { required: true, default: 2, search: true }),
    Location: text({ max: 60 }),
    Maker: text({ max: 60, section: 'equipment' }),
    Model: text({ max: 60, section: 'equipment' }),
    SerialNo: text({ max: 60, search: true, section: 'equipment' }),
    WarrantyUntil: text({ ...day, section: 'equipment' }),
    Files: files({ most: 20, section: 'equipment' }),
    Remark: long({ max: 500 }),
    Sort: number({ required: true, integer: true, min: 0, max: 9999, default: 0 }),
  },
})

/** Menu of the machine page, which the label opens. */
export const machinePage = 'm10620'

export const equipmentCalls = {
  /** Data of the machine page: equipment of visible projects, even without access to the equipment list. */
  machine: call({
    ...{ method: 'GET', path: '/Maintenance/MtnEquipment/Machine', permission: machinePage },
    query: ById,
    answer: schemas(mtnEquipment).row,
  }),
  /** The equipment of a device, created on the first request. */
  ofDevice: call({
    method: 'POST',
    path: '/Maintenance/MtnEquipment/OfDevice',
    permission: 'm10613.add',
    body: Type.Object({ DeviceId: Id }),
    answer: schemas(mtnEquipment).row,
  }),
}
