import { choice, long, number, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'

/** A job title in an organisation. */
export const post = resource('post', {
  path: '/System/Post',
  permission: 'm10413',
  title: 'PostName',
  owner: 'BelongOrganId',
  order: 'Sort',
  sheets: 'in-out',
  fields: {
    PostName: text({ required: true, unique: 'BelongOrganId', search: true }),
    PostNo: text({ max: 30, search: true }),
    BelongOrganId: ref('organ', { required: true, as: 'OrganName', search: true }),
    Status: choice([1, 0], { required: true, default: 1, search: true }),
    Sort: number({ required: true, integer: true, min: 0, max: 9999, default: 0 }),
    Remark: long(),
  },
})
