import { number, ref, text } from '../base/field.ts'
import { resource } from '../base/resource.ts'

/** Organisation below an enterprise; a tree. Its calls come with system administration. */
export const organ = resource('organ', {
  path: '/System/Organ',
  permission: 'm10101',
  title: 'OrganName',
  order: 'OrganName',
  fields: {
    OrganName: text({ required: true, unique: true, search: true }),
    ParentOrganId: ref('organ', { as: 'ParentOrganName' }),
    Sort: number({ integer: true, min: 0, max: 9999, default: 0 }),
  },
})
