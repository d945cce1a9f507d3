import { long, number, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'

/** A map region or sales area; a tree. The area code is that of GB/T 2260 if it applies. */
export const region = resource('region', {
  path: '/System/Region',
  permission: 'm10414',
  title: 'RegionName',
  order: 'Sort',
  tree: 'ParentId',
  readBy: 'session',
  columns: ['RegionName', 'AreaCode'],
  sheets: 'in-out',
  differs: { readable: 'Pickers everywhere show regions: a session is enough.' },
  fields: {
    RegionName: text({ required: true, unique: 'ParentId', search: true }),
    AreaCode: text({ max: 12, unique: true, search: true }),
    ParentId: ref('region', { as: 'ParentName' }),
    Sort: number({ required: true, integer: true, min: 0, max: 9999, default: 0 }),
    Remark: long(),
  },
})
